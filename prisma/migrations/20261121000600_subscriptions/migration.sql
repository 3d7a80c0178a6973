-- CreateEnum
CREATE TYPE "subscription_plan_status" AS ENUM ('active', 'inactive');

-- CreateEnum
CREATE TYPE "subscription_status" AS ENUM ('inactive', 'active', 'completed', 'cancelled');

-- CreateEnum
CREATE TYPE "period_unit" AS ENUM ('days', 'months', 'years');

-- CreateEnum
CREATE TYPE "invoice_status" AS ENUM ('open', 'paid', 'void');

-- AlterTable
ALTER TABLE "merchant" ADD COLUMN     "test_clock_leased_until" TIMESTAMPTZ(3),
ADD COLUMN     "test_clock_offset_ms" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "test_clock_target" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "charge" ADD COLUMN     "invoice_id" TEXT COLLATE "C";

-- CreateTable
CREATE TABLE "subscription_plan" (
    "id" TEXT COLLATE "C" NOT NULL,
    "merchant_id" TEXT COLLATE "C" NOT NULL,
    "mode" "mode" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "status" "subscription_plan_status" NOT NULL DEFAULT 'active',
    "currency" TEXT COLLATE "C" NOT NULL,
    "amount" BIGINT NOT NULL,
    "period" "period_unit" NOT NULL,
    "count" INTEGER NOT NULL,
    "initial_amount" BIGINT,
    "initial_period" "period_unit",
    "initial_count" INTEGER,
    "num_payments" INTEGER,
    "send_email" BOOLEAN NOT NULL DEFAULT true,
    "invoice_notice" INTEGER NOT NULL DEFAULT 2,
    "grace_period" INTEGER NOT NULL DEFAULT 1,
    "orders" JSONB NOT NULL,
    "methods" TEXT[] COLLATE "C",
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "subscription_plan_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "subscription_link" (
    "id" TEXT COLLATE "C" NOT NULL,
    "merchant_id" TEXT COLLATE "C" NOT NULL,
    "mode" "mode" NOT NULL,
    "plan_id" TEXT COLLATE "C" NOT NULL,
    "methods" TEXT[] COLLATE "C",
    "notify_payload" TEXT COLLATE "C",
    "redirect_url" TEXT COLLATE "C",
    "customer" JSONB,
    "page_generation" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "subscription_link_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "subscription" (
    "id" TEXT COLLATE "C" NOT NULL,
    "merchant_id" TEXT COLLATE "C" NOT NULL,
    "mode" "mode" NOT NULL,
    "plan_id" TEXT COLLATE "C" NOT NULL,
    "link_id" TEXT COLLATE "C" NOT NULL,
    "status" "subscription_status" NOT NULL DEFAULT 'inactive',
    "customer_id" TEXT COLLATE "C" NOT NULL,
    "email" TEXT COLLATE "C",
    "phone" TEXT COLLATE "C",
    "first_name" TEXT COLLATE "C",
    "last_name" TEXT COLLATE "C",
    "language" TEXT COLLATE "C" NOT NULL DEFAULT 'en',
    "method" TEXT COLLATE "C" NOT NULL,
    "customer_currency" TEXT COLLATE "C" NOT NULL,
    "methods" TEXT[] COLLATE "C",
    "notify_payload" TEXT COLLATE "C",
    "redirect_url" TEXT COLLATE "C",
    "num_payments_complete" INTEGER NOT NULL DEFAULT 0,
    "active_until" TIMESTAMPTZ(3),
    "next_payment" TIMESTAMPTZ(3),
    "anchor_day" INTEGER,
    "due_at" TIMESTAMPTZ(3),
    "reminders_off" BOOLEAN NOT NULL DEFAULT false,
    "page_generation" INTEGER NOT NULL DEFAULT 0,
    "version" INTEGER NOT NULL DEFAULT 0,
    "paid_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "subscription_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "invoice" (
    "id" TEXT COLLATE "C" NOT NULL,
    "merchant_id" TEXT COLLATE "C" NOT NULL,
    "mode" "mode" NOT NULL,
    "subscription_id" TEXT COLLATE "C" NOT NULL,
    "number" INTEGER NOT NULL,
    "status" "invoice_status" NOT NULL DEFAULT 'open',
    "amount" BIGINT NOT NULL,
    "currency" TEXT COLLATE "C" NOT NULL,
    "charge_id" TEXT COLLATE "C",
    "due_on" TIMESTAMPTZ(3) NOT NULL,
    "reminded_at" TIMESTAMPTZ(3),
    "page_generation" INTEGER NOT NULL DEFAULT 0,
    "version" INTEGER NOT NULL DEFAULT 0,
    "paid_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "invoice_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "invoice_counter" (
    "merchant_id" TEXT COLLATE "C" NOT NULL,
    "mode" "mode" NOT NULL,
    "last" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "invoice_counter_pkey" PRIMARY KEY ("merchant_id","mode")
);

-- CreateIndex
CREATE INDEX "subscription_plan_merchant_id_mode_id_idx" ON "subscription_plan"("merchant_id", "mode", "id" DESC);

-- CreateIndex
CREATE INDEX "subscription_link_merchant_id_mode_id_idx" ON "subscription_link"("merchant_id", "mode", "id" DESC);

-- CreateIndex
CREATE INDEX "subscription_merchant_id_mode_id_idx" ON "subscription"("merchant_id", "mode", "id" DESC);

-- CreateIndex
CREATE INDEX "subscription_merchant_id_mode_plan_id_id_idx" ON "subscription"("merchant_id", "mode", "plan_id", "id" DESC);

-- CreateIndex
CREATE INDEX "subscription_merchant_id_mode_customer_id_id_idx" ON "subscription"("merchant_id", "mode", "customer_id", "id" DESC);

-- CreateIndex
CREATE INDEX "subscription_merchant_id_mode_phone_idx" ON "subscription"("merchant_id", "mode", "phone");

-- CreateIndex
CREATE INDEX "invoice_merchant_id_mode_id_idx" ON "invoice"("merchant_id", "mode", "id" DESC);

-- CreateIndex
CREATE INDEX "invoice_subscription_id_id_idx" ON "invoice"("subscription_id", "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "invoice_merchant_id_mode_number_key" ON "invoice"("merchant_id", "mode", "number");

-- AddForeignKey
ALTER TABLE "charge" ADD CONSTRAINT "charge_subscription_id_fkey" FOREIGN KEY ("subscription_id") REFERENCES "subscription"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "charge" ADD CONSTRAINT "charge_invoice_id_fkey" FOREIGN KEY ("invoice_id") REFERENCES "invoice"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "subscription_link" ADD CONSTRAINT "subscription_link_plan_id_fkey" FOREIGN KEY ("plan_id") REFERENCES "subscription_plan"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "subscription" ADD CONSTRAINT "subscription_plan_id_fkey" FOREIGN KEY ("plan_id") REFERENCES "subscription_plan"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "subscription" ADD CONSTRAINT "subscription_link_id_fkey" FOREIGN KEY ("link_id") REFERENCES "subscription_link"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "subscription" ADD CONSTRAINT "subscription_customer_id_fkey" FOREIGN KEY ("customer_id") REFERENCES "customer"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invoice" ADD CONSTRAINT "invoice_subscription_id_fkey" FOREIGN KEY ("subscription_id") REFERENCES "subscription"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- By hand from here: what the schema language cannot say.

-- Charges of a subscription and of an invoice; most charges have neither.
CREATE INDEX "charge_subscription_id_idx" ON "charge"("subscription_id", "id" DESC) WHERE "subscription_id" IS NOT NULL;
CREATE INDEX "charge_invoice_id_idx" ON "charge"("invoice_id", "id" DESC) WHERE "invoice_id" IS NOT NULL;

-- What the sweep looks for, and the sandboxes whose clock is ahead.
CREATE INDEX "subscription_due_at_idx" ON "subscription"("due_at") WHERE "due_at" IS NOT NULL;
CREATE INDEX "merchant_test_clock_idx" ON "merchant"("id") WHERE "test_clock_offset_ms" > 0;

-- A subscription asks for one renewal at a time.
CREATE UNIQUE INDEX "invoice_open_key" ON "invoice"("subscription_id") WHERE "status" = 'open';

ALTER TABLE "merchant" ADD CONSTRAINT "merchant_test_clock_forward" CHECK ("test_clock_offset_ms" >= 0);
ALTER TABLE "subscription_plan" ADD CONSTRAINT "subscription_plan_terms" CHECK (
  "amount" > 0 AND "count" BETWEEN 1 AND 400 AND "initial_amount" >= 0 AND "initial_count" BETWEEN 1 AND 400
  AND ("initial_period" IS NULL) = ("initial_count" IS NULL) AND "num_payments" > 0 AND "invoice_notice" >= 0
  AND "grace_period" >= 0);
ALTER TABLE "subscription" ADD CONSTRAINT "subscription_anchor_day" CHECK ("anchor_day" BETWEEN 1 AND 31);
ALTER TABLE "invoice" ADD CONSTRAINT "invoice_amount_positive" CHECK ("amount" > 0);
