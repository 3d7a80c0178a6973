-- Notifications due at one time go out in the order of their ids, which is that of their events, wherever their rows stand.
DROP INDEX "notification_pending_lane_idx";
CREATE INDEX "notification_pending_lane_idx" ON "notification"("lane", "next_attempt_at", "id") WHERE "status" = 'pending';
