-- CreateEnum
CREATE TYPE "charge_count_grain" AS ENUM ('all', 'month', 'day');

-- CreateTable
CREATE TABLE "charge_count" (
    "merchant_id" TEXT COLLATE "C" NOT NULL,
    "mode" "mode" NOT NULL,
    "grain" "charge_count_grain" NOT NULL,
    "start" DATE NOT NULL,
    "status" "charge_status" NOT NULL,
    "method" TEXT COLLATE "C" NOT NULL,
    "customer_currency" TEXT COLLATE "C" NOT NULL,
    "count" BIGINT NOT NULL,

    CONSTRAINT "charge_count_pkey" PRIMARY KEY ("merchant_id","mode","grain","start","status","method","customer_currency")
);

-- CreateTable
CREATE TABLE "charge_count_delta" (
    "id" BIGSERIAL NOT NULL,
    "merchant_id" TEXT COLLATE "C" NOT NULL,
    "mode" "mode" NOT NULL,
    "day" DATE NOT NULL,
    "method" TEXT COLLATE "C" NOT NULL,
    "customer_currency" TEXT COLLATE "C" NOT NULL,
    "from_status" "charge_status",
    "to_status" "charge_status",

    CONSTRAINT "charge_count_delta_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "charge_count_delta_merchant_id_mode_idx" ON "charge_count_delta"("merchant_id", "mode");

-- CreateIndex
CREATE INDEX "charge_merchant_id_mode_status_id_idx" ON "charge"("merchant_id", "mode", "status", "id" DESC);

-- CreateIndex
CREATE INDEX "charge_merchant_id_mode_customer_currency_id_idx" ON "charge"("merchant_id", "mode", "customer_currency", "id" DESC);

-- Every charge counts from the statement that makes it, whoever sends that; so do its changes of status.
CREATE FUNCTION "note_charge_count"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  subject "charge" := coalesce(NEW, OLD);
BEGIN
  INSERT INTO "charge_count_delta"
    ("merchant_id", "mode", "day", "method", "customer_currency", "from_status", "to_status")
  VALUES (subject.merchant_id, subject.mode, (subject.created_at AT TIME ZONE 'UTC')::date, subject.method,
    subject.customer_currency, OLD.status, NEW.status);
  RETURN NULL;
END $$;
CREATE TRIGGER "charge_counts" AFTER INSERT OR DELETE ON "charge"
  FOR EACH ROW EXECUTE FUNCTION "note_charge_count"();
CREATE TRIGGER "charge_counts_status" AFTER UPDATE OF "status" ON "charge"
  FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION "note_charge_count"();

-- The charges that are there already.
INSERT INTO "charge_count" ("merchant_id", "mode", "grain", "start", "status", "method", "customer_currency", "count")
SELECT charge.merchant_id, charge.mode, span.grain::"charge_count_grain", span.start, charge.status, charge.method,
  charge.customer_currency, count(*)
FROM "charge",
  LATERAL (SELECT (charge.created_at AT TIME ZONE 'UTC')::date AS day) made,
  LATERAL (VALUES ('all', date '1970-01-01'), ('month', date_trunc('month', made.day)::date), ('day', made.day))
    AS span(grain, start)
GROUP BY 1, 2, 3, 4, 5, 6, 7;

-- A merchant or key that changes is told to every process that keeps it, with the commit. Its last use is no change.
CREATE FUNCTION "tell_merchant_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('causeway', OLD.id || ' ' || OLD.id || ' live');
  RETURN NULL;
END $$;
CREATE TRIGGER "merchant_changed" AFTER UPDATE OR DELETE ON "merchant"
  FOR EACH ROW EXECUTE FUNCTION "tell_merchant_change"();

CREATE FUNCTION "tell_api_key_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('causeway', OLD.id || ' ' || OLD.merchant_id || ' ' || OLD.mode);
  RETURN NULL;
END $$;
CREATE TRIGGER "api_key_deleted" AFTER DELETE ON "api_key"
  FOR EACH ROW EXECUTE FUNCTION "tell_api_key_change"();
CREATE TRIGGER "api_key_changed" AFTER UPDATE ON "api_key"
  FOR EACH ROW WHEN (to_jsonb(OLD) - 'last_used_at' IS DISTINCT FROM to_jsonb(NEW) - 'last_used_at')
  EXECUTE FUNCTION "tell_api_key_change"();
