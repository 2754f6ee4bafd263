CREATE TABLE "portal_links" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"name" text NOT NULL,
	"access" text[] NOT NULL,
	"theme_name" text,
	"accent_color" text,
	"logo_url" text,
	"frame_ancestors" text[] NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp (6) with time zone NOT NULL,
	"expires_at" timestamp (6) with time zone NOT NULL,
	"revoked_at" timestamp (6) with time zone,
	"last_used_at" timestamp (6) with time zone,
	CONSTRAINT "portal_links_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
ALTER TABLE "portal_links" ADD CONSTRAINT "portal_links_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "portal_links_token" ON "portal_links" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "portal_links_list" ON "portal_links" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "portal_links_end" ON "portal_links" USING btree ("expires_at");