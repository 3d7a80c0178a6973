-- CreateTable
CREATE TABLE "app_key" (
    "fingerprint" TEXT COLLATE "C" NOT NULL,
    "secret_sealed" TEXT COLLATE "C",
    "in_force_since" TIMESTAMPTZ(3) NOT NULL,
    "retired_at" TIMESTAMPTZ(3),
    "resealed_at" TIMESTAMPTZ(3),

    CONSTRAINT "app_key_pkey" PRIMARY KEY ("fingerprint"),
    -- The secret in force is never in the database; the others can be opened with it.
    CONSTRAINT "app_key_sealed_when_retired" CHECK (("retired_at" IS NULL) = ("secret_sealed" IS NULL))
);

-- One is in force.
CREATE UNIQUE INDEX "app_key_in_force" ON "app_key" ((true)) WHERE "retired_at" IS NULL;
