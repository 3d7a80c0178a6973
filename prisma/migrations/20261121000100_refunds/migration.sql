-- AlterTable
ALTER TABLE "refund" ADD COLUMN     "completed_at" TIMESTAMPTZ(3),
ADD COLUMN     "details_sealed" TEXT COLLATE "C",
ADD COLUMN     "page_generation" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "payout_reference" TEXT COLLATE "C",
ADD COLUMN     "reopen_reason" TEXT COLLATE "C";

-- A reference for refunds that were made without one: the random end of their ids.
UPDATE "refund" SET "payout_reference" = upper(right("id", 16));
ALTER TABLE "refund" ALTER COLUMN "payout_reference" SET NOT NULL;

-- CreateIndex
CREATE UNIQUE INDEX "refund_merchant_id_mode_payout_reference_key" ON "refund"("merchant_id", "mode", "payout_reference");
