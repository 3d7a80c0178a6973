-- CreateTable
CREATE TABLE "sign_in_attempt" (
    "id" BIGSERIAL NOT NULL,
    "address" TEXT COLLATE "C" NOT NULL,
    "account_hash" TEXT COLLATE "C" NOT NULL,
    "failed" BOOLEAN NOT NULL DEFAULT true,
    "checked_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sign_in_attempt_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "sign_in_attempt_address_created_at_idx" ON "sign_in_attempt"("address", "created_at");

-- CreateIndex
CREATE INDEX "sign_in_attempt_account_hash_created_at_idx" ON "sign_in_attempt"("account_hash", "created_at");

-- CreateIndex
CREATE INDEX "sign_in_attempt_created_at_idx" ON "sign_in_attempt"("created_at");
