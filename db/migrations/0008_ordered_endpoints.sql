CREATE TABLE "ordered_deliveries" (
	"tenant_id" uuid NOT NULL,
	"endpoint_id" uuid NOT NULL,
	"sequence" bigint NOT NULL,
	"delivery_id" uuid NOT NULL,
	CONSTRAINT "ordered_deliveries_tenant_id_endpoint_id_sequence_pk" PRIMARY KEY("tenant_id","endpoint_id","sequence")
);
--> statement-breakpoint
CREATE TABLE "ordered_endpoints" (
	"tenant_id" uuid NOT NULL,
	"endpoint_id" uuid NOT NULL,
	"job_id" uuid NOT NULL,
	CONSTRAINT "ordered_endpoints_tenant_id_endpoint_id_pk" PRIMARY KEY("tenant_id","endpoint_id")
);
--> statement-breakpoint
-- The row of an endpoint is written with every event that it gets: room for its next versions on the same page.
ALTER TABLE "ordered_endpoints" SET (fillfactor = 50);
