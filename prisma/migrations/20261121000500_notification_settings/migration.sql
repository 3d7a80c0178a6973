-- DropIndex
DROP INDEX "notification_event_id_idx";

-- AlterTable
ALTER TABLE "certificate" ADD COLUMN     "signs_from" TIMESTAMPTZ(3);
UPDATE "certificate" SET "signs_from" = "created_at";
ALTER TABLE "certificate" ALTER COLUMN "signs_from" SET NOT NULL;

-- AlterTable
ALTER TABLE "webhook" ADD COLUMN     "concurrency" INTEGER,
ADD COLUMN     "failing_since" TIMESTAMPTZ(3),
ADD COLUMN     "failing_told_at" TIMESTAMPTZ(3),
ADD COLUMN     "failures_in_row" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "last_signing_secret_sealed" TEXT COLLATE "C",
ADD COLUMN     "last_signing_secret_until" TIMESTAMPTZ(3),
ADD COLUMN     "lease_holder" TEXT COLLATE "C",
ADD COLUMN     "leased_until" TIMESTAMPTZ(3),
ADD COLUMN     "rate_per_second" INTEGER,
ADD COLUMN     "signing_secret_sealed" TEXT COLLATE "C";

-- AlterTable
ALTER TABLE "event" ADD COLUMN     "test" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "event_counter" ADD COLUMN     "pruned_to" BIGINT NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "notification" ADD COLUMN     "attempts_before" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "lane" TEXT COLLATE "C";
UPDATE "notification" SET "lane" =
  coalesce("webhook_id", "merchant_id" || ' ' || lower(split_part(translate("url", '?#', '//'), '/', 3)));
ALTER TABLE "notification" ALTER COLUMN "lane" SET NOT NULL;

-- CreateTable
CREATE TABLE "alert" (
    "id" TEXT COLLATE "C" NOT NULL,
    "merchant_id" TEXT COLLATE "C" NOT NULL,
    "mode" "mode" NOT NULL,
    "kind" TEXT COLLATE "C" NOT NULL,
    "webhook_id" TEXT COLLATE "C",
    "notification_id" TEXT COLLATE "C",
    "url" TEXT COLLATE "C" NOT NULL,
    "detail" TEXT COLLATE "C" NOT NULL,
    "dedupe_key" TEXT COLLATE "C" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "mailed_at" TIMESTAMPTZ(3),
    "dismissed_at" TIMESTAMPTZ(3),

    CONSTRAINT "alert_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "prune_mark" (
    "name" TEXT COLLATE "C" NOT NULL,
    "pruned_to" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "prune_mark_pkey" PRIMARY KEY ("name")
);

-- CreateIndex
CREATE UNIQUE INDEX "alert_dedupe_key_key" ON "alert"("dedupe_key");

-- CreateIndex
CREATE INDEX "alert_merchant_id_mode_id_idx" ON "alert"("merchant_id", "mode", "id" DESC);

-- By hand from here: what the schema language cannot say.

-- What is due, lane by lane: a lane with a million due deliveries is passed over in one step.
DROP INDEX "notification_pending_next_attempt_at_idx";
CREATE INDEX "notification_pending_lane_idx" ON "notification"("lane", "next_attempt_at") WHERE "status" = 'pending';

-- What can be replayed.
CREATE INDEX "notification_unsent_idx" ON "notification"("merchant_id", "mode", "id") WHERE "status" IN ('failed', 'skipped');

-- One notification for each event and target, and the notifications of an event, by one index.
DROP INDEX "notification_event_webhook_key";
DROP INDEX "notification_event_callback_key";
CREATE UNIQUE INDEX "notification_event_target_key" ON "notification"("event_id", coalesce("webhook_id", ''));

-- A claim changes no indexed column: with room on the page it writes no index.
ALTER TABLE "notification" SET (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

-- What is to be mailed.
CREATE INDEX "alert_unmailed_idx" ON "alert"("id") WHERE "mailed_at" IS NULL;

ALTER TABLE "webhook" ADD CONSTRAINT "webhook_limits_positive" CHECK ("concurrency" > 0 AND "rate_per_second" > 0);
