-- Finds and counts a merchant's transfers of some days without looking at those of all others.
CREATE INDEX "transfer_merchant_id_mode_paid_at_idx" ON "transfer"("merchant_id", "mode", "paid_at");
