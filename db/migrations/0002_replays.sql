ALTER TABLE "replay_items" ADD COLUMN "check_at" timestamp (6) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "replays" ADD COLUMN "put_back" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "replays" ADD COLUMN "phase" text DEFAULT 'deliveries' NOT NULL;--> statement-breakpoint
CREATE INDEX "endpoint_minutes_age" ON "endpoint_minutes" USING brin ("minute");--> statement-breakpoint
CREATE INDEX "replay_items_to_check" ON "replay_items" USING btree ("tenant_id","replay_id","check_at");--> statement-breakpoint
-- Rows that are updated in place all the time leave room for HOT updates.
ALTER TABLE "endpoint_minutes" SET (fillfactor = 50);--> statement-breakpoint
ALTER TABLE "replay_items" SET (fillfactor = 70);
