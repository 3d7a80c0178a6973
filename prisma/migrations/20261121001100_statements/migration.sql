-- CreateEnum
CREATE TYPE "statement_status" AS ENUM ('queued', 'running', 'done', 'failed');

-- AlterTable
ALTER TABLE "transfer" ADD COLUMN     "file_kind" TEXT COLLATE "C";

-- AlterTable
ALTER TABLE "statement" ADD COLUMN     "bytes_read" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "error_line" INTEGER,
ADD COLUMN     "error_reason" TEXT COLLATE "C",
ADD COLUMN     "finished_at" TIMESTAMPTZ(3),
ADD COLUMN     "lease_holder" TEXT COLLATE "C",
ADD COLUMN     "leased_until" TIMESTAMPTZ(3),
ADD COLUMN     "mapping" JSONB,
ADD COLUMN     "mapping_hash" TEXT COLLATE "C" NOT NULL DEFAULT '',
ADD COLUMN     "recorded" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "size" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "status" "statement_status" NOT NULL DEFAULT 'queued',
ADD COLUMN     "upload_id" TEXT COLLATE "C",
ALTER COLUMN "entries" DROP NOT NULL;

-- What was imported before: whole where it says when it finished, else broken off.
UPDATE "statement" SET
  "status" = CASE WHEN "result" ? 'finishedAt' THEN 'done' ELSE 'failed' END::"statement_status",
  "finished_at" = coalesce(("result"->>'finishedAt')::timestamptz, "created_at"),
  "recorded" = CASE WHEN "result" ? 'finishedAt' THEN "entries" ELSE 0 END,
  "error_reason" = CASE WHEN "result" ? 'finishedAt' THEN NULL ELSE 'broken off: import the file again' END,
  "result" = "result" - 'finishedAt';
UPDATE "transfer" SET "file_kind" = (SELECT "format" FROM "statement" WHERE "statement"."id" = "statement_id")
  WHERE "source" = 'statement';

ALTER TABLE "statement"
  ADD CONSTRAINT "statement_fits_status" CHECK (
    ("status" = 'failed') = ("error_reason" IS NOT NULL)
    AND ("status" IN ('done', 'failed')) = ("finished_at" IS NOT NULL)
    AND ("status" = 'running') = ("leased_until" IS NOT NULL));

-- CreateTable
CREATE TABLE "upload" (
    "id" TEXT COLLATE "C" NOT NULL,
    "merchant_id" TEXT COLLATE "C" NOT NULL,
    "mode" "mode" NOT NULL,
    "file_name" TEXT COLLATE "C" NOT NULL,
    "size" BIGINT,
    "sha256" TEXT COLLATE "C",
    "created_by" TEXT COLLATE "C" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "upload_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "upload_chunk" (
    "upload_id" TEXT COLLATE "C" NOT NULL,
    "position" INTEGER NOT NULL,
    "bytes" BYTEA NOT NULL,

    CONSTRAINT "upload_chunk_pkey" PRIMARY KEY ("upload_id","position")
);

-- CreateTable
CREATE TABLE "statement_mapping" (
    "receiving_account_id" TEXT COLLATE "C" NOT NULL,
    "mapping" JSONB NOT NULL,
    "updated_by" TEXT COLLATE "C" NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "statement_mapping_pkey" PRIMARY KEY ("receiving_account_id")
);

-- CreateIndex
CREATE INDEX "upload_merchant_id_mode_expires_at_idx" ON "upload"("merchant_id", "mode", "expires_at");

-- CreateIndex
CREATE INDEX "upload_expires_at_idx" ON "upload"("expires_at");

-- CreateIndex
CREATE INDEX "transfer_statement_id_id_idx" ON "transfer"("statement_id", "id" DESC);

-- The same file, read in the same way, is imported to an account once; what failed may be tried again.
CREATE UNIQUE INDEX "statement_file_key" ON "statement"("receiving_account_id", "file_hash", "mapping_hash")
  WHERE "status" <> 'failed';

-- What there is to import.
CREATE INDEX "statement_unfinished_idx" ON "statement"("id") WHERE "status" IN ('queued', 'running');

-- The chunks are compressed already.
ALTER TABLE "upload_chunk" ALTER COLUMN "bytes" SET STORAGE EXTERNAL;

-- AddForeignKey
ALTER TABLE "statement" ADD CONSTRAINT "statement_upload_id_fkey" FOREIGN KEY ("upload_id") REFERENCES "upload"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "upload_chunk" ADD CONSTRAINT "upload_chunk_upload_id_fkey" FOREIGN KEY ("upload_id") REFERENCES "upload"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "statement_mapping" ADD CONSTRAINT "statement_mapping_receiving_account_id_fkey" FOREIGN KEY ("receiving_account_id") REFERENCES "receiving_account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
