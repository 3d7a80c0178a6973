-- CreateIndex
CREATE INDEX "customer_merchant_id_mode_id_idx" ON "customer"("merchant_id", "mode", "id" DESC);
