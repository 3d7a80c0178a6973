-- AlterTable
ALTER TABLE "merchant" ADD COLUMN     "access_decline_reason" TEXT COLLATE "C",
ADD COLUMN     "access_requested_at" TIMESTAMPTZ(3),
ADD COLUMN     "markup" DECIMAL(5,4) NOT NULL DEFAULT 0,
ADD COLUMN     "off_operations" TEXT[] COLLATE "C" DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "payment_windows" JSONB NOT NULL DEFAULT '{}',
ADD COLUMN     "rate_age_days" INTEGER NOT NULL DEFAULT 6;

-- AlterTable
ALTER TABLE "api_key" ADD COLUMN     "replaced_by_id" TEXT COLLATE "C";

-- AlterTable
ALTER TABLE "forex_rate" ADD COLUMN     "base_rate" DECIMAL(65,30) NOT NULL DEFAULT 1,
ALTER COLUMN "rate" SET DATA TYPE DECIMAL(65,30);

-- CreateTable
CREATE TABLE "audit_entry" (
    "id" TEXT COLLATE "C" NOT NULL,
    "merchant_id" TEXT COLLATE "C",
    "mode" "mode",
    "actor" TEXT COLLATE "C" NOT NULL,
    "action" TEXT COLLATE "C" NOT NULL,
    "object_id" TEXT COLLATE "C",
    "detail" JSONB NOT NULL,
    "address" TEXT COLLATE "C",
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "audit_entry_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "audit_entry_merchant_id_id_idx" ON "audit_entry"("merchant_id", "id" DESC);

-- By hand from here: what the schema language cannot say.

ALTER TABLE "forex_rate" ADD CONSTRAINT "forex_rate_positive" CHECK ("rate" > 0 AND "base_rate" > 0);
ALTER TABLE "merchant" ADD CONSTRAINT "merchant_settings_in_range" CHECK (
  "markup" BETWEEN 0 AND 0.1 AND "underpayment_tolerance" BETWEEN 0 AND 0.02 AND "rate_age_days" BETWEEN 1 AND 31
);

-- What was done stays written: never changed, never deleted.
CREATE TRIGGER "audit_entry_append_only" BEFORE UPDATE OR DELETE ON "audit_entry"
  FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
