CREATE TABLE "endpoint_minutes" (
	"tenant_id" uuid NOT NULL,
	"endpoint_id" uuid NOT NULL,
	"minute" timestamp (6) with time zone NOT NULL,
	"attempts" integer NOT NULL,
	"succeeded" integer NOT NULL,
	"latencies" integer[] NOT NULL,
	CONSTRAINT "endpoint_minutes_tenant_id_endpoint_id_minute_pk" PRIMARY KEY("tenant_id","endpoint_id","minute")
);
--> statement-breakpoint
CREATE TABLE "event_types" (
	"tenant_id" uuid NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"schema" text,
	"example" text,
	"deprecated" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (6) with time zone NOT NULL,
	"updated_at" timestamp (6) with time zone NOT NULL,
	CONSTRAINT "event_types_tenant_id_name_pk" PRIMARY KEY("tenant_id","name")
);
--> statement-breakpoint
CREATE TABLE "replay_items" (
	"tenant_id" uuid NOT NULL,
	"replay_id" uuid NOT NULL,
	"delivery_id" uuid NOT NULL,
	CONSTRAINT "replay_items_tenant_id_replay_id_delivery_id_pk" PRIMARY KEY("tenant_id","replay_id","delivery_id")
);
--> statement-breakpoint
CREATE TABLE "replays" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"endpoint_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"selection" jsonb NOT NULL,
	"status" text DEFAULT 'queued' NOT NULL,
	"total" integer NOT NULL,
	"done" integer DEFAULT 0 NOT NULL,
	"succeeded" integer DEFAULT 0 NOT NULL,
	"failed" integer DEFAULT 0 NOT NULL,
	"position" uuid,
	"created_at" timestamp (6) with time zone NOT NULL,
	"started_at" timestamp (6) with time zone,
	"completed_at" timestamp (6) with time zone,
	CONSTRAINT "replays_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "rate_buckets" (
	"bucket" text PRIMARY KEY NOT NULL,
	"full_at_ms" double precision NOT NULL
);
--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD COLUMN "rate_limit" integer;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD COLUMN "ordered" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD COLUMN "filter" jsonb;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD COLUMN "sealed_headers" text;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD COLUMN "header_names" text[] DEFAULT '{}'::text[] NOT NULL;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD COLUMN "sealed_signing_key" text;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD COLUMN "public_key" text;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD COLUMN "metadata" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "tenant_sequences" ADD COLUMN "purged" bigint DEFAULT '0' NOT NULL;--> statement-breakpoint
ALTER TABLE "tenants" ADD COLUMN "request_rate" integer;--> statement-breakpoint
ALTER TABLE "tenants" ADD COLUMN "event_rate" integer;--> statement-breakpoint
ALTER TABLE "event_types" ADD CONSTRAINT "event_types_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "replay_items" ADD CONSTRAINT "replay_items_tenant_id_replay_id_replays_tenant_id_id_fk" FOREIGN KEY ("tenant_id","replay_id") REFERENCES "public"."replays"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "replays" ADD CONSTRAINT "replays_tenant_id_endpoint_id_webhook_endpoints_tenant_id_id_fk" FOREIGN KEY ("tenant_id","endpoint_id") REFERENCES "public"."webhook_endpoints"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "replays_list" ON "replays" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "carts_by_status" ON "carts" USING btree ("tenant_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "carts_deleted" ON "carts" USING btree ("deleted_at") WHERE deleted_at is not null;