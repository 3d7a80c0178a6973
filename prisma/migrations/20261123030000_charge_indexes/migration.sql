-- Each creation wrote an entry into these for NULL: few charges belong to a session or a checkout link.
DROP INDEX "charge_session_id_key";
CREATE UNIQUE INDEX "charge_session_id_key" ON "charge"("session_id") WHERE "session_id" IS NOT NULL;
DROP INDEX "charge_checkout_link_id_idx";
CREATE INDEX "charge_checkout_link_id_idx" ON "charge"("checkout_link_id") WHERE "checkout_link_id" IS NOT NULL;

-- One index instead of two: it finds the charges of a customer, and the equal pending charge of a creation.
CREATE INDEX "charge_customer_id_status_merchant_amount_idx" ON "charge"("customer_id", "status", "merchant_amount");
DROP INDEX "charge_customer_id_idx";
DROP INDEX "charge_mergeable_amount_idx";
