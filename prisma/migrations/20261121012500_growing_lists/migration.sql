-- CreateIndex
CREATE INDEX "alert_created_at_idx" ON "alert"("created_at");

-- Charges by the phone that came with them: few have one.
CREATE INDEX "charge_phone_idx" ON "charge"("merchant_id", "mode", "phone", "id" DESC) WHERE "phone" IS NOT NULL;
