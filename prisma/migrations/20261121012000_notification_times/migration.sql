-- What is due, whatever its lane: a claim need not look at lanes that have nothing due.
CREATE INDEX "notification_pending_time_idx" ON "notification"("next_attempt_at") WHERE "status" = 'pending';
