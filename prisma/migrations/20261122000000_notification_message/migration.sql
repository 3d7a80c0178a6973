-- The event's message, so that the delivery log is filtered without looking at all events.
ALTER TABLE "notification" ADD COLUMN     "event_message" TEXT COLLATE "C";
UPDATE "notification" SET "event_message" = "event"."message" FROM "event" WHERE "event"."id" = "notification"."event_id";
ALTER TABLE "notification" ALTER COLUMN "event_message" SET NOT NULL;

-- For processes of the version before, which do not know of it.
CREATE FUNCTION "notification_event_message"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT "message" INTO NEW."event_message" FROM "event" WHERE "id" = NEW."event_id";
  RETURN NEW;
END $$;
CREATE TRIGGER "notification_event_message" BEFORE INSERT ON "notification"
  FOR EACH ROW WHEN (NEW."event_message" IS NULL) EXECUTE FUNCTION "notification_event_message"();
