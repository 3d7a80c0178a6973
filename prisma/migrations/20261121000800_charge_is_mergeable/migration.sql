-- AlterTable
ALTER TABLE "charge" ADD COLUMN     "is_mergeable" BOOLEAN NOT NULL DEFAULT false;

UPDATE "charge" SET "is_mergeable" = true
  WHERE "session_id" IS NULL AND "checkout_link_id" IS NULL AND "subscription_id" IS NULL;
CREATE INDEX "charge_mergeable_idx" ON "charge"("customer_id") WHERE "status" = 'pending' AND "is_mergeable";
