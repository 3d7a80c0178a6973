ALTER TABLE "notification" RENAME COLUMN "lane" TO "queue_key";
ALTER TABLE "notification" RENAME COLUMN "claimed_until" TO "leased_until";
ALTER INDEX "notification_pending_lane_idx" RENAME TO "notification_pending_queue_idx";
