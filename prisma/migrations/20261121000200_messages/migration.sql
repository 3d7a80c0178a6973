-- CreateEnum
CREATE TYPE "message_channel" AS ENUM ('email', 'sms');

-- CreateEnum
CREATE TYPE "message_audience" AS ENUM ('customer', 'team');

-- CreateEnum
CREATE TYPE "message_status" AS ENUM ('pending', 'sent', 'mailbox', 'failed');

-- CreateEnum
CREATE TYPE "phone_verification_status" AS ENUM ('sent', 'verified', 'used', 'voided');

-- AlterTable
ALTER TABLE "merchant" ADD COLUMN     "phone_countries" TEXT[] COLLATE "C" DEFAULT ARRAY[]::TEXT[];

-- CreateTable
CREATE TABLE "message" (
    "id" TEXT COLLATE "C" NOT NULL,
    "merchant_id" TEXT COLLATE "C",
    "mode" "mode",
    "audience" "message_audience" NOT NULL,
    "channel" "message_channel" NOT NULL,
    "kind" TEXT COLLATE "C" NOT NULL,
    "recipient" TEXT COLLATE "C" NOT NULL,
    "subject" TEXT COLLATE "C",
    "content_sealed" TEXT COLLATE "C",
    "language" TEXT COLLATE "C" NOT NULL,
    "dedupe_key" TEXT COLLATE "C" NOT NULL,
    "status" "message_status" NOT NULL,
    "attempts_made" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3),
    "claimed_until" TIMESTAMPTZ(3),
    "last_error" TEXT COLLATE "C",
    "expires_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "message_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "phone_verification" (
    "id" BIGSERIAL NOT NULL,
    "merchant_id" TEXT COLLATE "C" NOT NULL,
    "mode" "mode" NOT NULL,
    "phone" TEXT COLLATE "C" NOT NULL,
    "status" "phone_verification_status" NOT NULL DEFAULT 'sent',
    "code_hash" TEXT COLLATE "C" NOT NULL,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "token_hash" TEXT COLLATE "C",
    "charge_id" TEXT COLLATE "C",
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "phone_verification_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "message_dedupe_key_key" ON "message"("dedupe_key");

-- CreateIndex
CREATE INDEX "message_merchant_id_mode_id_idx" ON "message"("merchant_id", "mode", "id" DESC);

-- CreateIndex
CREATE INDEX "message_created_at_idx" ON "message"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "phone_verification_token_hash_key" ON "phone_verification"("token_hash");

-- CreateIndex
CREATE INDEX "phone_verification_merchant_id_mode_created_at_idx" ON "phone_verification"("merchant_id", "mode", "created_at");

-- CreateIndex
CREATE INDEX "phone_verification_phone_mode_created_at_idx" ON "phone_verification"("phone", "mode", "created_at");

-- CreateIndex
CREATE INDEX "phone_verification_created_at_idx" ON "phone_verification"("created_at");

-- By hand from here: what the schema language cannot say.

-- What the senders look for.
CREATE INDEX "message_pending_next_attempt_at_idx" ON "message"("channel", "next_attempt_at") WHERE "status" = 'pending';

-- What a customer was sent, for export and erasure.
CREATE INDEX "message_recipient_idx" ON "message"("merchant_id", "mode", lower("recipient"));

-- What is handed over or given up does not stay readable; what waits has its content, and a time.
ALTER TABLE "message" ADD CONSTRAINT "message_content_until_finished"
  CHECK (("content_sealed" IS NOT NULL) = ("status" IN ('pending', 'mailbox')));
ALTER TABLE "message" ADD CONSTRAINT "message_finished"
  CHECK (("finished_at" IS NULL) = ("status" = 'pending') AND ("next_attempt_at" IS NOT NULL) = ("status" = 'pending'));

-- One code of a phone counts at a time.
CREATE UNIQUE INDEX "phone_verification_open_key" ON "phone_verification"("merchant_id", "mode", "phone") WHERE "status" = 'sent';
ALTER TABLE "phone_verification" ADD CONSTRAINT "phone_verification_token"
  CHECK (("token_hash" IS NOT NULL) = ("status" IN ('verified', 'used')) AND ("charge_id" IS NOT NULL) = ("status" = 'used'));
