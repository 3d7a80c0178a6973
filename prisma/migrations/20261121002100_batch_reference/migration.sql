-- AlterTable
ALTER TABLE "transfer" ADD COLUMN     "batch_reference" TEXT COLLATE "C";

-- Finds the payments of a booking.
CREATE INDEX "transfer_batch_idx" ON "transfer"("receiving_account_id", "batch_reference") WHERE "batch_reference" IS NOT NULL;
