-- CreateIndex
CREATE INDEX "charge_orders_idx" ON "charge" USING GIN ("orders" jsonb_path_ops);

-- CreateIndex
CREATE INDEX "charge_merchant_id_mode_merchant_currency_merchant_amount_idx" ON "charge"("merchant_id", "mode", "merchant_currency", "merchant_amount");
