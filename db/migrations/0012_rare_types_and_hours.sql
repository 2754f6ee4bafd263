CREATE TABLE "delivery_minutes" (
	"tenant_id" uuid NOT NULL,
	"event_type" text NOT NULL,
	"minute" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "endpoint_hours" (
	"tenant_id" uuid NOT NULL,
	"endpoint_id" uuid NOT NULL,
	"hour" timestamp (6) with time zone NOT NULL,
	"attempts" integer NOT NULL,
	"succeeded" integer NOT NULL,
	"latencies" integer[] NOT NULL,
	CONSTRAINT "endpoint_hours_tenant_id_endpoint_id_hour_pk" PRIMARY KEY("tenant_id","endpoint_id","hour")
);
--> statement-breakpoint
CREATE TABLE "endpoint_hours_until" (
	"id" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"until" timestamp (6) with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "delivery_minutes_of_type" ON "delivery_minutes" USING btree ("tenant_id","event_type","minute");--> statement-breakpoint
CREATE INDEX "delivery_minutes_age" ON "delivery_minutes" USING brin ("minute");--> statement-breakpoint
CREATE INDEX "endpoint_hours_age" ON "endpoint_hours" USING brin ("hour");--> statement-breakpoint
INSERT INTO "delivery_minutes" SELECT DISTINCT tenant_id, event_type, floor(extract(epoch FROM created_at) / 60)::integer AS minute FROM "deliveries" ORDER BY minute;
