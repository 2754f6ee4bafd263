CREATE TABLE "undelivered" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"event_id" uuid NOT NULL,
	"endpoint_id" uuid NOT NULL,
	"event_type" text NOT NULL,
	"status" text NOT NULL,
	"next_attempt_at" timestamp (6) with time zone,
	"created_at" timestamp (6) with time zone NOT NULL
);
--> statement-breakpoint
-- Whoever writes deliveries waits until the triggers are there: from then on nothing is missing. Who reads waits too, since the
-- index needs that lock in the end, and taking it later might wait in a circle.
LOCK TABLE "deliveries" IN ACCESS EXCLUSIVE MODE;--> statement-breakpoint
INSERT INTO "undelivered" ("tenant_id", "id", "event_id", "endpoint_id", "event_type", "status", "next_attempt_at", "created_at")
SELECT "tenant_id", "id", "event_id", "endpoint_id", "event_type", "status", "next_attempt_at", "created_at"
  FROM "deliveries" WHERE status <> 'delivered' ORDER BY "tenant_id", "status", "id";--> statement-breakpoint
CREATE INDEX "undelivered_by_status" ON "undelivered" USING btree ("tenant_id","status","id","endpoint_id","event_type");--> statement-breakpoint
DROP INDEX "deliveries_not_delivered";--> statement-breakpoint
CREATE FUNCTION "note_undelivered"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO undelivered (tenant_id, id, event_id, endpoint_id, event_type, status, next_attempt_at, created_at)
  SELECT tenant_id, id, event_id, endpoint_id, event_type, status, next_attempt_at, created_at FROM added WHERE status <> 'delivered';
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "deliveries_added" AFTER INSERT ON "deliveries" REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION "note_undelivered"();--> statement-breakpoint
-- Planned while the table is empty, look-ups by index would be scans of it for as long as the session lasts.
CREATE FUNCTION "change_undelivered"() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  IF TG_OP = 'DELETE' OR NEW.status = 'delivered' THEN
    DELETE FROM undelivered u WHERE u.tenant_id = OLD.tenant_id AND u.status = OLD.status AND u.id = OLD.id;
  ELSIF OLD.status = 'delivered' THEN
    -- There may be a row that an earlier release has left, which knew nothing of these.
    DELETE FROM undelivered u WHERE u.tenant_id = NEW.tenant_id AND u.status = 'pending' AND u.id = NEW.id;
    INSERT INTO undelivered (tenant_id, id, event_id, endpoint_id, event_type, status, next_attempt_at, created_at)
    VALUES (NEW.tenant_id, NEW.id, NEW.event_id, NEW.endpoint_id, NEW.event_type, NEW.status, NEW.next_attempt_at, NEW.created_at);
  ELSE
    UPDATE undelivered u SET status = NEW.status, next_attempt_at = NEW.next_attempt_at
     WHERE u.tenant_id = OLD.tenant_id AND u.status = OLD.status AND u.id = OLD.id;
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
-- All but the way that nearly every delivery takes: whoever writes that one removes the row.
CREATE TRIGGER "deliveries_changed" AFTER UPDATE OF "status", "next_attempt_at" ON "deliveries" FOR EACH ROW
  WHEN ((OLD.status, OLD.next_attempt_at) IS DISTINCT FROM (NEW.status, NEW.next_attempt_at)
        AND NOT (OLD.status = 'pending' AND NEW.status = 'delivered'))
  EXECUTE FUNCTION "change_undelivered"();--> statement-breakpoint
CREATE TRIGGER "deliveries_removed" AFTER DELETE ON "deliveries" FOR EACH ROW WHEN (OLD.status <> 'delivered')
  EXECUTE FUNCTION "change_undelivered"();--> statement-breakpoint
-- A try changes nothing that is indexed: where its page has room, the row is written anew in place.
DO $$
DECLARE child regclass;
BEGIN
  FOR child IN SELECT inhrelid::regclass FROM pg_inherits WHERE inhparent = 'deliveries'::regclass LOOP
    EXECUTE format('ALTER TABLE %s SET (fillfactor = 45)', child);
  END LOOP;
END $$;
