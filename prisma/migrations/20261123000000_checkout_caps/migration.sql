-- AlterTable
ALTER TABLE "receiving_account" ADD COLUMN     "references_low_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "alert" ADD COLUMN     "receiving_account_id" TEXT COLLATE "C";

-- CreateTable
CREATE TABLE "checkout_slot" (
    "object_id" TEXT COLLATE "C" NOT NULL,
    "network_hash" TEXT COLLATE "C" NOT NULL,
    "merchant_id" TEXT COLLATE "C" NOT NULL,
    "mode" "mode" NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "checkout_slot_pkey" PRIMARY KEY ("object_id","network_hash")
);

-- CreateIndex
CREATE INDEX "checkout_slot_network_hash_created_at_idx" ON "checkout_slot"("network_hash", "created_at");

-- CreateIndex
CREATE INDEX "checkout_slot_created_at_idx" ON "checkout_slot"("created_at");

-- Uses were charges of any status; expired and cancelled charges give theirs back from now on.
UPDATE "checkout_link" SET "uses" = (
  SELECT count(*) FROM "charge"
  WHERE "charge"."checkout_link_id" = "checkout_link"."id" AND "charge"."status" IN ('pending', 'completed')
);

CREATE INDEX "receiving_account_references_low" ON "receiving_account" ("references_low_at") WHERE "references_low_at" IS NOT NULL;
