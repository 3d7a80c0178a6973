-- CreateEnum
CREATE TYPE "export_kind" AS ENUM ('charges', 'refunds', 'transfers', 'reconciliation', 'payouts');

-- CreateEnum
CREATE TYPE "export_status" AS ENUM ('queued', 'running', 'done', 'failed');

-- AlterEnum
ALTER TYPE "transfer_status" ADD VALUE 'outgoing';

-- AlterTable
ALTER TABLE "refund" ADD COLUMN     "past_references" TEXT[] COLLATE "C" DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "payout_exported_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "allocation" ADD COLUMN     "refund_id" TEXT COLLATE "C";

-- CreateTable
CREATE TABLE "refund_payout" (
    "id" TEXT COLLATE "C" NOT NULL,
    "merchant_id" TEXT COLLATE "C" NOT NULL,
    "mode" "mode" NOT NULL,
    "refund_id" TEXT COLLATE "C" NOT NULL,
    "receiving_account_id" TEXT COLLATE "C" NOT NULL,
    "reference" TEXT COLLATE "C" NOT NULL,
    "amount" BIGINT NOT NULL,
    "currency" TEXT COLLATE "C" NOT NULL,
    "paid_at" TIMESTAMPTZ(3) NOT NULL,
    "transfer_id" TEXT COLLATE "C",
    "returned_transfer_id" TEXT COLLATE "C",
    "actor" TEXT COLLATE "C" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "refund_payout_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "export" (
    "id" TEXT COLLATE "C" NOT NULL,
    "merchant_id" TEXT COLLATE "C" NOT NULL,
    "mode" "mode" NOT NULL,
    "kind" "export_kind" NOT NULL,
    "format" TEXT COLLATE "C" NOT NULL,
    "status" "export_status" NOT NULL DEFAULT 'queued',
    "options" JSONB NOT NULL,
    "file_name" TEXT COLLATE "C" NOT NULL,
    "total" INTEGER,
    "rows" INTEGER NOT NULL DEFAULT 0,
    "last_id" TEXT COLLATE "C",
    "chunk_count" INTEGER NOT NULL DEFAULT 0,
    "size" BIGINT NOT NULL DEFAULT 0,
    "error_reason" TEXT COLLATE "C",
    "created_by" TEXT COLLATE "C" NOT NULL,
    "leased_until" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "export_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "export_chunk" (
    "export_id" TEXT COLLATE "C" NOT NULL,
    "position" INTEGER NOT NULL,
    "bytes_sealed" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "export_chunk_pkey" PRIMARY KEY ("export_id","position")
);

-- CreateIndex
CREATE UNIQUE INDEX "refund_payout_transfer_id_key" ON "refund_payout"("transfer_id");

-- CreateIndex
CREATE UNIQUE INDEX "refund_payout_returned_transfer_id_key" ON "refund_payout"("returned_transfer_id");

-- CreateIndex
CREATE INDEX "refund_payout_refund_id_idx" ON "refund_payout"("refund_id");

-- CreateIndex
CREATE INDEX "refund_payout_merchant_id_mode_paid_at_idx" ON "refund_payout"("merchant_id", "mode", "paid_at");

-- CreateIndex
CREATE INDEX "export_merchant_id_mode_id_idx" ON "export"("merchant_id", "mode", "id" DESC);

-- CreateIndex
CREATE INDEX "export_expires_at_idx" ON "export"("expires_at");

-- AddForeignKey
ALTER TABLE "refund_payout" ADD CONSTRAINT "refund_payout_refund_id_fkey" FOREIGN KEY ("refund_id") REFERENCES "refund"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "refund_payout" ADD CONSTRAINT "refund_payout_receiving_account_id_fkey" FOREIGN KEY ("receiving_account_id") REFERENCES "receiving_account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "refund_payout" ADD CONSTRAINT "refund_payout_transfer_id_fkey" FOREIGN KEY ("transfer_id") REFERENCES "transfer"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "refund_payout" ADD CONSTRAINT "refund_payout_returned_transfer_id_fkey" FOREIGN KEY ("returned_transfer_id") REFERENCES "transfer"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "export_chunk" ADD CONSTRAINT "export_chunk_export_id_fkey" FOREIGN KEY ("export_id") REFERENCES "export"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "allocation" ADD CONSTRAINT "allocation_refund_id_fkey" FOREIGN KEY ("refund_id") REFERENCES "refund"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- A refund is paid once, until that came back.
CREATE UNIQUE INDEX "refund_payout_standing_key" ON "refund_payout"("refund_id") WHERE "returned_transfer_id" IS NULL;

ALTER TABLE "refund_payout" ADD CONSTRAINT "refund_payout_amount_positive" CHECK ("amount" > 0);

-- Money counts for a charge or for a refund, never for both.
ALTER TABLE "allocation" ADD CONSTRAINT "allocation_of_one" CHECK ("charge_id" IS NULL OR "refund_id" IS NULL);

CREATE INDEX "allocation_refund_id_idx" ON "allocation"("refund_id") WHERE "refund_id" IS NOT NULL;

-- What there is to pay.
CREATE INDEX "refund_to_pay_idx" ON "refund"("merchant_id", "mode", "id" DESC) WHERE "status" = 'processing';

-- Finds whose payout an old word was.
CREATE INDEX "refund_past_references_idx" ON "refund" USING gin ("past_references") WHERE "past_references" <> '{}';

-- The sums of a merchant's books are read from these alone.
CREATE INDEX "transfer_books_idx" ON "transfer"("merchant_id", "mode", "paid_at")
  INCLUDE ("id", "receiving_account_id", "currency", "direction", "status", "amount", "allocated");
CREATE INDEX "allocation_returned_idx" ON "allocation"("transfer_id") INCLUDE ("amount")
  WHERE "charge_id" IS NULL AND "refund_id" IS NULL;

-- What there is to make.
CREATE INDEX "export_unfinished_idx" ON "export"("id") WHERE "status" IN ('queued', 'running');

ALTER TABLE "export"
  ADD CONSTRAINT "export_fits_status" CHECK (
    ("status" = 'failed') = ("error_reason" IS NOT NULL)
    AND ("status" IN ('done', 'failed')) = ("finished_at" IS NOT NULL)
    AND ("status" = 'running') = ("leased_until" IS NOT NULL));

-- The chunks are compressed already.
ALTER TABLE "export_chunk" ALTER COLUMN "bytes_sealed" SET STORAGE EXTERNAL;

-- Refunds that were completed before payouts were kept.
INSERT INTO "refund_payout" ("id", "merchant_id", "mode", "refund_id", "receiving_account_id", "reference", "amount", "currency", "paid_at", "actor", "created_at")
SELECT 'po_' || substr(r."id", 4), r."merchant_id", r."mode", r."id", c."receiving_account_id", r."payout_reference", r."customer_amount", r."customer_currency",
  coalesce(r."completed_at", r."updated_at"), 'migration', r."created_at"
FROM "refund" r JOIN "charge" c ON c."id" = r."charge_id" WHERE r."status" = 'completed';
