CREATE TABLE "endpoint_health" (
	"tenant_id" uuid NOT NULL,
	"endpoint_id" uuid NOT NULL,
	"consecutive_failures" integer DEFAULT 0 NOT NULL,
	"first_failure_at" timestamp (6) with time zone,
	"last_failure_at" timestamp (6) with time zone,
	"last_success_at" timestamp (6) with time zone,
	"warned" smallint DEFAULT 0 NOT NULL,
	"blocked_in_row" integer DEFAULT 0 NOT NULL,
	"gone_at" timestamp (6) with time zone,
	"breaker_state" text DEFAULT 'closed' NOT NULL,
	"breaker_until" timestamp (6) with time zone,
	"updated_at" timestamp (6) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "endpoint_health_tenant_id_endpoint_id_pk" PRIMARY KEY("tenant_id","endpoint_id")
);
--> statement-breakpoint
ALTER TABLE "endpoint_secrets" ADD COLUMN "expiry_announced_at" timestamp (6) with time zone;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD COLUMN "retry_policy" jsonb;--> statement-breakpoint
CREATE INDEX "endpoint_health_failing" ON "endpoint_health" USING btree ("first_failure_at") WHERE first_failure_at is not null;--> statement-breakpoint
CREATE INDEX "endpoint_secrets_expiring" ON "endpoint_secrets" USING btree ("expires_at") WHERE expires_at is not null and revoked_at is null and expiry_announced_at is null;--> statement-breakpoint
-- A row of an endpoint that fails is written with every batch: room for its next versions on the same page.
ALTER TABLE "endpoint_health" SET (fillfactor = 50);
