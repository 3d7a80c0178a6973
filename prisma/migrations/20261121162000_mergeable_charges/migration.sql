-- Whether an equal charge is pending is asked with every creation: found by the amount too, as one customer may stand for
-- all of a shop's.
CREATE INDEX "charge_mergeable_amount_idx" ON "charge"("customer_id", "merchant_amount")
  WHERE "status" = 'pending' AND "is_mergeable";
DROP INDEX "charge_mergeable_idx";
