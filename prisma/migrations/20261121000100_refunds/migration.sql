-- AlterTable
ALTER TABLE "refund" ADD COLUMN     "completed_at" TIMESTAMPTZ(3),
ADD COLUMN     "details_sealed" TEXT COLLATE "C",
ADD COLUMN     "page_generation" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "payout_reference" TEXT COLLATE "C" NOT NULL,
ADD COLUMN     "reopen_reason" TEXT COLLATE "C";

-- CreateIndex
CREATE UNIQUE INDEX "refund_merchant_id_mode_payout_reference_key" ON "refund"("merchant_id", "mode", "payout_reference");
