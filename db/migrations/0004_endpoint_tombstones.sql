DROP INDEX "webhook_endpoints_list";--> statement-breakpoint
CREATE INDEX "webhook_endpoints_deleted" ON "webhook_endpoints" USING btree ("deleted_at") WHERE deleted_at is not null;--> statement-breakpoint
CREATE INDEX "webhook_endpoints_list" ON "webhook_endpoints" USING btree ("tenant_id","created_at","id") WHERE deleted_at is null;