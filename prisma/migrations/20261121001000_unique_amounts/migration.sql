-- AlterTable
ALTER TABLE "receiving_account" ADD COLUMN     "retired_at" TIMESTAMPTZ(3),
ADD COLUMN     "unique_amounts_max" INTEGER;

UPDATE "receiving_account" SET "retired_at" = "updated_at" WHERE "status" = 'retired';

ALTER TABLE "receiving_account"
  ADD CONSTRAINT "receiving_account_retired_fits_status" CHECK (("retired_at" IS NOT NULL) = ("status" = 'retired')),
  ADD CONSTRAINT "receiving_account_in_range" CHECK (
    "weight" BETWEEN 1 AND 100 AND "unique_amounts_max" BETWEEN 1 AND 999
    AND "window_minutes" BETWEEN 5 AND 43200 AND "min_amount" > 0 AND "max_amount" > 0);

-- AlterTable
ALTER TABLE "charge" ADD COLUMN     "amount_added" BIGINT;

ALTER TABLE "charge" ADD CONSTRAINT "charge_amount_added_in_bounds" CHECK ("amount_added" >= 0 AND "amount_added" < "customer_amount");

-- Where the amount is all that tells payments apart, no two open charges of an account ask the same.
CREATE UNIQUE INDEX "charge_open_amount_key" ON "charge"("receiving_account_id", "customer_amount")
  WHERE "status" = 'pending' AND "amount_added" IS NOT NULL;

-- Finds the charge that asked an amount at the time it was paid, and the amounts that are taken.
CREATE INDEX "charge_unique_amount_idx" ON "charge"("receiving_account_id", "customer_amount", "expires_at")
  WHERE "amount_added" IS NOT NULL;
