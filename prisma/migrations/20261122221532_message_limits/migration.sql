-- AlterEnum
ALTER TYPE "message_status" ADD VALUE 'skipped';

-- DropIndex
DROP INDEX "phone_verification_merchant_id_mode_created_at_idx";

-- AlterTable
ALTER TABLE "message" ADD COLUMN     "merchant_limit" TEXT COLLATE "C",
ADD COLUMN     "recipient_limit" TEXT COLLATE "C";

-- By hand from here: what the schema language cannot say.

-- What the limits of messages count; most messages have none.
CREATE INDEX "message_recipient_limit_idx" ON "message"("recipient_limit", "created_at") WHERE "recipient_limit" IS NOT NULL;
CREATE INDEX "message_merchant_limit_idx" ON "message"("merchant_limit", "created_at") WHERE "merchant_limit" IS NOT NULL;
