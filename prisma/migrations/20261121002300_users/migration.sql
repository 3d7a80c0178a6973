-- CreateEnum
CREATE TYPE "attempt_kind" AS ENUM ('sign_in', 'proof', 'reset', 'link', 'invitation');

-- DropIndex
DROP INDEX "merchant_user_email_key";

-- Somebody who was removed may come back, or be invited elsewhere.
CREATE UNIQUE INDEX "merchant_user_email_key" ON "merchant_user"("email") WHERE "disabled_at" IS NULL;

-- AlterTable
ALTER TABLE "merchant_user" ADD COLUMN     "name" TEXT COLLATE "C" NOT NULL DEFAULT '',
ADD COLUMN     "new_totp_sealed" TEXT COLLATE "C",
ADD COLUMN     "totp_sealed" TEXT COLLATE "C",
ADD COLUMN     "totp_step" BIGINT;

-- AlterTable
ALTER TABLE "user_session" ADD COLUMN     "address" TEXT COLLATE "C",
ADD COLUMN     "id" TEXT COLLATE "C",
ADD COLUMN     "last_seen_at" TIMESTAMPTZ(3),
ADD COLUMN     "proved_at" TIMESTAMPTZ(3),
ADD COLUMN     "user_agent" TEXT COLLATE "C";

-- Nobody is signed out by this.
UPDATE "user_session" SET "id" = 'uss_' || replace(gen_random_uuid()::text, '-', ''), "last_seen_at" = "created_at";
ALTER TABLE "user_session" ALTER COLUMN "id" SET NOT NULL, ALTER COLUMN "last_seen_at" SET NOT NULL;

-- AlterTable
ALTER TABLE "sign_in_attempt" ADD COLUMN     "kind" "attempt_kind" NOT NULL DEFAULT 'sign_in';

-- AlterTable
ALTER TABLE "forex_rate" ADD COLUMN     "set_by" TEXT COLLATE "C";

-- CreateTable
CREATE TABLE "recovery_code" (
    "code_hash" TEXT COLLATE "C" NOT NULL,
    "user_id" TEXT COLLATE "C" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "recovery_code_pkey" PRIMARY KEY ("code_hash")
);

-- CreateTable
CREATE TABLE "password_reset_request" (
    "id" BIGSERIAL NOT NULL,
    "email" TEXT COLLATE "C" NOT NULL,
    "address" TEXT COLLATE "C" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "password_reset_request_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "password_reset" (
    "user_id" TEXT COLLATE "C" NOT NULL,
    "token_hash" TEXT COLLATE "C" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "password_reset_pkey" PRIMARY KEY ("user_id")
);

-- CreateTable
CREATE TABLE "user_invitation" (
    "id" TEXT COLLATE "C" NOT NULL,
    "merchant_id" TEXT COLLATE "C" NOT NULL,
    "email" TEXT COLLATE "C" NOT NULL,
    "role" "user_role" NOT NULL,
    "token_hash" TEXT COLLATE "C" NOT NULL,
    "invited_by" TEXT COLLATE "C" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "sent_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "user_invitation_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "recovery_code_user_id_idx" ON "recovery_code"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "password_reset_token_hash_key" ON "password_reset"("token_hash");

-- CreateIndex
CREATE UNIQUE INDEX "user_invitation_token_hash_key" ON "user_invitation"("token_hash");

-- CreateIndex
CREATE INDEX "user_invitation_merchant_id_id_idx" ON "user_invitation"("merchant_id", "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "user_invitation_merchant_id_email_key" ON "user_invitation"("merchant_id", "email");

-- CreateIndex
CREATE INDEX "merchant_user_merchant_id_id_idx" ON "merchant_user"("merchant_id", "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "user_session_id_key" ON "user_session"("id");

-- CreateIndex
CREATE INDEX "audit_entry_merchant_id_action_id_idx" ON "audit_entry"("merchant_id", "action", "id" DESC);

-- CreateIndex
CREATE INDEX "audit_entry_merchant_id_actor_id_idx" ON "audit_entry"("merchant_id", "actor", "id" DESC);

-- CreateIndex
CREATE INDEX "audit_entry_merchant_id_object_id_id_idx" ON "audit_entry"("merchant_id", "object_id", "id" DESC);

-- AddForeignKey
ALTER TABLE "recovery_code" ADD CONSTRAINT "recovery_code_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "merchant_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "password_reset" ADD CONSTRAINT "password_reset_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "merchant_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "user_invitation" ADD CONSTRAINT "user_invitation_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchant"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
