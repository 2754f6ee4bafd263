ALTER TABLE "event_types" ADD COLUMN "version" bigint DEFAULT '1' NOT NULL;--> statement-breakpoint
ALTER TABLE "replays" ADD COLUMN "created_by" jsonb;