-- DropTable
DROP TABLE "app_key";

-- CreateTable
CREATE TABLE "data_key" (
    "id" TEXT COLLATE "C" NOT NULL,
    "wrapped_key" TEXT COLLATE "C" NOT NULL,
    "wrapped_by" TEXT COLLATE "C" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "activated_at" TIMESTAMPTZ(3),
    "retired_at" TIMESTAMPTZ(3),
    "reencrypted_at" TIMESTAMPTZ(3),

    CONSTRAINT "data_key_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "data_key_order" CHECK (
      ("retired_at" IS NULL OR "activated_at" IS NOT NULL) AND ("reencrypted_at" IS NULL OR "retired_at" IS NOT NULL)
    )
);

-- One is in use, and at most one is announced.
CREATE UNIQUE INDEX "data_key_in_use" ON "data_key" (("activated_at" IS NULL)) WHERE "retired_at" IS NULL;

-- RenameColumn
ALTER TABLE "merchant" RENAME COLUMN "hash_key_sealed" TO "hash_key_encrypted";
ALTER TABLE "merchant_user" RENAME COLUMN "totp_sealed" TO "totp_encrypted";
ALTER TABLE "merchant_user" RENAME COLUMN "new_totp_sealed" TO "new_totp_encrypted";
ALTER TABLE "certificate" RENAME COLUMN "private_key_sealed" TO "private_key_encrypted";
ALTER TABLE "webhook" RENAME COLUMN "password_sealed" TO "password_encrypted";
ALTER TABLE "webhook" RENAME COLUMN "signing_secret_sealed" TO "signing_secret_encrypted";
ALTER TABLE "webhook" RENAME COLUMN "last_signing_secret_sealed" TO "last_signing_secret_encrypted";
ALTER TABLE "refund" RENAME COLUMN "details_sealed" TO "details_encrypted";
ALTER TABLE "export_chunk" RENAME COLUMN "bytes_sealed" TO "bytes_encrypted";
ALTER TABLE "idempotency_key" RENAME COLUMN "answer_sealed" TO "answer_encrypted";
ALTER TABLE "message" RENAME COLUMN "content_sealed" TO "content_encrypted";
