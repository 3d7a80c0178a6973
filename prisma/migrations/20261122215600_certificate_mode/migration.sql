-- The certificates of before signed live callbacks and their public keys are in place there, so they stay live alone.
ALTER TABLE "certificate" ADD COLUMN     "mode" "mode";
UPDATE "certificate" SET "mode" = 'live';
ALTER TABLE "certificate" ALTER COLUMN "mode" SET NOT NULL;

DROP INDEX "certificate_merchant_id_idx";
CREATE INDEX "certificate_merchant_id_mode_idx" ON "certificate"("merchant_id", "mode");
