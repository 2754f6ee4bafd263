CREATE TABLE "retention_state" (
	"id" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"ran_at" timestamp (6) with time zone NOT NULL,
	"result" text NOT NULL,
	"reason" text,
	"partitions" integer NOT NULL,
	"rows" bigint NOT NULL,
	"accepted" jsonb
);
--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "expunged_at" timestamp (6) with time zone;--> statement-breakpoint
ALTER TABLE "tenants" ADD COLUMN "retention_days" integer;--> statement-breakpoint
CREATE INDEX "replays_completed" ON "replays" USING btree ("completed_at") WHERE completed_at is not null;