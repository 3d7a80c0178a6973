-- What was collected in a span of time. By hand: Prisma's schema language has no partial indexes.
CREATE INDEX "charge_completed_at_idx" ON "charge"("merchant_id", "mode", "completed_at") WHERE "status" = 'completed';
