ALTER TABLE "merchant" ADD COLUMN     "require_two_factor" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "reauthentication_minutes" INTEGER NOT NULL DEFAULT 15;
ALTER TABLE "user_session" RENAME COLUMN "proved_at" TO "reauthenticated_at";
