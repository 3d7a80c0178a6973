-- AlterEnum
ALTER TYPE "transfer_status" ADD VALUE 'returned';

-- AlterTable
ALTER TABLE "transfer" ADD COLUMN     "allocated" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "reverses_id" TEXT COLLATE "C";

-- AlterTable
ALTER TABLE "allocation" ADD COLUMN     "note" TEXT COLLATE "C";

UPDATE "transfer" SET "allocated" = coalesce((SELECT sum("amount") FROM "allocation" WHERE "transfer_id" = "transfer"."id"), 0);

-- Money is never counted beyond what came, whatever the service does.
ALTER TABLE "transfer"
  ADD CONSTRAINT "transfer_allocated_in_bounds" CHECK ("allocated" BETWEEN 0 AND "amount"),
  ADD CONSTRAINT "transfer_allocated_fits_status" CHECK (
    CASE WHEN "status" IN ('matched', 'partial', 'over') THEN "allocated" = "amount"
         WHEN "status" = 'duplicate' THEN "allocated" = 0 ELSE true END);

-- A credit is taken back once.
CREATE UNIQUE INDEX "transfer_reverses_id_key" ON "transfer"("reverses_id");

-- Finds the charges that a transfer without a nonce may have been meant for.
CREATE INDEX "charge_unpaid_amount_idx" ON "charge"("receiving_account_id", "customer_amount", "created_at")
  WHERE "status" <> 'completed';
