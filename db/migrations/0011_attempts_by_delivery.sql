DROP INDEX "attempts_of_delivery";--> statement-breakpoint
ALTER TABLE "attempts" DROP CONSTRAINT "attempts_tenant_id_id_pk";--> statement-breakpoint
ALTER TABLE "attempts" ADD CONSTRAINT "attempts_tenant_id_delivery_id_number_id_pk" PRIMARY KEY("tenant_id","delivery_id","number","id");