-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateEnum
CREATE TYPE "mode" AS ENUM ('live', 'sandbox');

-- CreateEnum
CREATE TYPE "restricted_access" AS ENUM ('none', 'requested', 'granted');

-- CreateEnum
CREATE TYPE "user_role" AS ENUM ('owner', 'developer', 'support', 'operator');

-- CreateEnum
CREATE TYPE "api_key_kind" AS ENUM ('secret', 'publishable');

-- CreateEnum
CREATE TYPE "receiving_account_status" AS ENUM ('active', 'retired');

-- CreateEnum
CREATE TYPE "charge_status" AS ENUM ('pending', 'completed', 'expired', 'cancelled');

-- CreateEnum
CREATE TYPE "refund_status" AS ENUM ('initiated', 'processing', 'completed', 'cancelled');

-- CreateEnum
CREATE TYPE "session_status" AS ENUM ('created', 'initiated', 'charged', 'cancelled', 'expired');

-- CreateEnum
CREATE TYPE "transfer_status" AS ENUM ('matched', 'partial', 'over', 'exception', 'duplicate');

-- CreateEnum
CREATE TYPE "transfer_direction" AS ENUM ('credit', 'debit');

-- CreateEnum
CREATE TYPE "transfer_source" AS ENUM ('feed', 'statement', 'hand', 'simulation');

-- CreateEnum
CREATE TYPE "notification_kind" AS ENUM ('webhook', 'callback');

-- CreateEnum
CREATE TYPE "notification_status" AS ENUM ('pending', 'delivered', 'failed', 'skipped');

-- CreateTable
CREATE TABLE "merchant" (
    "id" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "restricted_access" "restricted_access" NOT NULL DEFAULT 'none',
    "demo" BOOLEAN NOT NULL DEFAULT false,
    "time_zone" TEXT COLLATE "C" NOT NULL DEFAULT 'UTC',
    "secure_mode" BOOLEAN NOT NULL DEFAULT false,
    "underpayment_tolerance" DECIMAL(5,4) NOT NULL DEFAULT 0,
    "redirect_schemes" TEXT[] COLLATE "C",
    "hash_key_sealed" TEXT COLLATE "C" NOT NULL,
    "disabled_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "merchant_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "merchant_user" (
    "id" TEXT COLLATE "C" NOT NULL,
    "merchant_id" TEXT COLLATE "C",
    "email" TEXT COLLATE "C" NOT NULL,
    "password_hash" TEXT COLLATE "C" NOT NULL,
    "role" "user_role" NOT NULL,
    "disabled_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "merchant_user_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "user_session" (
    "token_hash" TEXT COLLATE "C" NOT NULL,
    "user_id" TEXT COLLATE "C" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "user_session_pkey" PRIMARY KEY ("token_hash")
);

-- CreateTable
CREATE TABLE "api_key" (
    "id" TEXT COLLATE "C" NOT NULL,
    "merchant_id" TEXT COLLATE "C" NOT NULL,
    "mode" "mode" NOT NULL,
    "kind" "api_key_kind" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "key" TEXT COLLATE "C" NOT NULL,
    "secret_hash" TEXT COLLATE "C",
    "permissions" TEXT[] COLLATE "C",
    "allowed_origins" TEXT[] COLLATE "C",
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_key_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "certificate" (
    "id" TEXT COLLATE "C" NOT NULL,
    "merchant_id" TEXT COLLATE "C" NOT NULL,
    "public_key" TEXT COLLATE "C" NOT NULL,
    "private_key_sealed" TEXT COLLATE "C" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "certificate_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook" (
    "id" TEXT COLLATE "C" NOT NULL,
    "merchant_id" TEXT COLLATE "C" NOT NULL,
    "mode" "mode" NOT NULL,
    "url" TEXT COLLATE "C" NOT NULL,
    "username" TEXT COLLATE "C" NOT NULL,
    "password_sealed" TEXT COLLATE "C" NOT NULL,
    "version" TEXT COLLATE "C" NOT NULL DEFAULT '0.9',
    "messages" TEXT[] COLLATE "C",
    "disabled_at" TIMESTAMPTZ(3),
    "disabled_reason" TEXT COLLATE "C",
    "deleted_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "webhook_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "customer" (
    "id" TEXT COLLATE "C" NOT NULL,
    "merchant_id" TEXT COLLATE "C" NOT NULL,
    "mode" "mode" NOT NULL,
    "email" TEXT COLLATE "C",
    "phone" TEXT COLLATE "C",
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "customer_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "receiving_account" (
    "id" TEXT COLLATE "C" NOT NULL,
    "merchant_id" TEXT COLLATE "C" NOT NULL,
    "mode" "mode" NOT NULL,
    "method" TEXT COLLATE "C" NOT NULL,
    "status" "receiving_account_status" NOT NULL DEFAULT 'active',
    "details" JSONB NOT NULL,
    "account" TEXT COLLATE "C" NOT NULL,
    "bank" TEXT COLLATE "C" NOT NULL,
    "holder" TEXT COLLATE "C" NOT NULL,
    "currency" TEXT COLLATE "C" NOT NULL,
    "time_zone" TEXT COLLATE "C" NOT NULL,
    "weight" INTEGER NOT NULL DEFAULT 1,
    "min_amount" BIGINT,
    "max_amount" BIGINT,
    "window_minutes" INTEGER,
    "demo" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "receiving_account_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "checkout_link" (
    "id" TEXT COLLATE "C" NOT NULL,
    "merchant_id" TEXT COLLATE "C" NOT NULL,
    "mode" "mode" NOT NULL,
    "amount" BIGINT NOT NULL,
    "currency" TEXT COLLATE "C" NOT NULL,
    "orders" JSONB NOT NULL,
    "payment_methods" JSONB,
    "notify_payload" TEXT COLLATE "C",
    "redirect_url" TEXT COLLATE "C",
    "customer" JSONB,
    "uses_limit" INTEGER,
    "uses" INTEGER NOT NULL DEFAULT 0,
    "closed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "checkout_link_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "checkout_session" (
    "id" TEXT COLLATE "C" NOT NULL,
    "merchant_id" TEXT COLLATE "C" NOT NULL,
    "mode" "mode" NOT NULL,
    "status" "session_status" NOT NULL DEFAULT 'created',
    "amount" BIGINT NOT NULL,
    "currency" TEXT COLLATE "C" NOT NULL,
    "orders" JSONB NOT NULL,
    "methods" TEXT[] COLLATE "C",
    "notify_url" TEXT COLLATE "C",
    "notify_payload" TEXT COLLATE "C",
    "redirect_url" TEXT COLLATE "C",
    "customer" JSONB,
    "claim_hash" TEXT COLLATE "C",
    "version" INTEGER NOT NULL DEFAULT 0,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "checkout_session_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "charge" (
    "id" TEXT COLLATE "C" NOT NULL,
    "merchant_id" TEXT COLLATE "C" NOT NULL,
    "mode" "mode" NOT NULL,
    "status" "charge_status" NOT NULL DEFAULT 'pending',
    "customer_id" TEXT COLLATE "C" NOT NULL,
    "email" TEXT COLLATE "C",
    "phone" TEXT COLLATE "C",
    "first_name" TEXT COLLATE "C",
    "last_name" TEXT COLLATE "C",
    "merchant_amount" BIGINT NOT NULL,
    "merchant_currency" TEXT COLLATE "C" NOT NULL,
    "customer_amount" BIGINT NOT NULL,
    "customer_currency" TEXT COLLATE "C" NOT NULL,
    "rate" DECIMAL(30,15) NOT NULL,
    "rate_source" TEXT COLLATE "C" NOT NULL,
    "rate_at" TIMESTAMPTZ(3) NOT NULL,
    "usd_amount" BIGINT,
    "method" TEXT COLLATE "C" NOT NULL,
    "receiving_account_id" TEXT COLLATE "C" NOT NULL,
    "nonce" TEXT COLLATE "C" NOT NULL,
    "destination" JSONB NOT NULL,
    "orders" JSONB NOT NULL,
    "notify_payload" TEXT COLLATE "C",
    "notify_url" TEXT COLLATE "C",
    "redirect_url" TEXT COLLATE "C",
    "session_id" TEXT COLLATE "C",
    "checkout_link_id" TEXT COLLATE "C",
    "subscription_id" TEXT COLLATE "C",
    "amount_received" BIGINT NOT NULL DEFAULT 0,
    "completed_by" TEXT COLLATE "C",
    "version" INTEGER NOT NULL DEFAULT 0,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "completed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "charge_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "refund" (
    "id" TEXT COLLATE "C" NOT NULL,
    "merchant_id" TEXT COLLATE "C" NOT NULL,
    "mode" "mode" NOT NULL,
    "charge_id" TEXT COLLATE "C" NOT NULL,
    "status" "refund_status" NOT NULL DEFAULT 'initiated',
    "customer_amount" BIGINT NOT NULL,
    "customer_currency" TEXT COLLATE "C" NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "refund_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "transfer" (
    "id" TEXT COLLATE "C" NOT NULL,
    "merchant_id" TEXT COLLATE "C" NOT NULL,
    "mode" "mode" NOT NULL,
    "receiving_account_id" TEXT COLLATE "C" NOT NULL,
    "source" "transfer_source" NOT NULL,
    "bank_reference" TEXT COLLATE "C" NOT NULL,
    "fingerprint" TEXT COLLATE "C" NOT NULL,
    "direction" "transfer_direction" NOT NULL DEFAULT 'credit',
    "amount" BIGINT NOT NULL,
    "currency" TEXT COLLATE "C" NOT NULL,
    "reference" TEXT COLLATE "C" NOT NULL,
    "payer_name" TEXT COLLATE "C",
    "paid_at" TIMESTAMPTZ(3) NOT NULL,
    "paid_at_is_date" BOOLEAN NOT NULL DEFAULT false,
    "status" "transfer_status" NOT NULL,
    "reason" TEXT COLLATE "C",
    "same_as_id" TEXT COLLATE "C",
    "statement_id" TEXT COLLATE "C",
    "version" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "transfer_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "allocation" (
    "id" TEXT COLLATE "C" NOT NULL,
    "merchant_id" TEXT COLLATE "C" NOT NULL,
    "mode" "mode" NOT NULL,
    "transfer_id" TEXT COLLATE "C" NOT NULL,
    "charge_id" TEXT COLLATE "C",
    "amount" BIGINT NOT NULL,
    "actor" TEXT COLLATE "C" NOT NULL,
    "reason" TEXT COLLATE "C" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "allocation_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "statement" (
    "id" TEXT COLLATE "C" NOT NULL,
    "merchant_id" TEXT COLLATE "C" NOT NULL,
    "mode" "mode" NOT NULL,
    "receiving_account_id" TEXT COLLATE "C" NOT NULL,
    "format" TEXT COLLATE "C" NOT NULL,
    "file_name" TEXT COLLATE "C" NOT NULL,
    "file_hash" TEXT COLLATE "C" NOT NULL,
    "imported_by" TEXT COLLATE "C" NOT NULL,
    "entries" INTEGER NOT NULL,
    "result" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "statement_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "event" (
    "id" TEXT COLLATE "C" NOT NULL,
    "merchant_id" TEXT COLLATE "C" NOT NULL,
    "mode" "mode" NOT NULL,
    "message" TEXT COLLATE "C" NOT NULL,
    "object_id" TEXT COLLATE "C" NOT NULL,
    "object_version" INTEGER NOT NULL,
    "payload" TEXT COLLATE "C" NOT NULL,
    "actor" TEXT COLLATE "C" NOT NULL,
    "callback_url" TEXT COLLATE "C",
    "sequence" BIGINT,
    "relayed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "event_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "event_counter" (
    "merchant_id" TEXT COLLATE "C" NOT NULL,
    "mode" "mode" NOT NULL,
    "last" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "event_counter_pkey" PRIMARY KEY ("merchant_id","mode")
);

-- CreateTable
CREATE TABLE "notification" (
    "id" TEXT COLLATE "C" NOT NULL,
    "merchant_id" TEXT COLLATE "C" NOT NULL,
    "mode" "mode" NOT NULL,
    "event_id" TEXT COLLATE "C" NOT NULL,
    "kind" "notification_kind" NOT NULL,
    "webhook_id" TEXT COLLATE "C",
    "url" TEXT COLLATE "C" NOT NULL,
    "status" "notification_status" NOT NULL DEFAULT 'pending',
    "attempts_made" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3),
    "claimed_until" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "notification_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "notification_attempt" (
    "id" TEXT COLLATE "C" NOT NULL,
    "notification_id" TEXT COLLATE "C" NOT NULL,
    "number" INTEGER NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "duration_ms" INTEGER NOT NULL,
    "status" INTEGER,
    "error" TEXT COLLATE "C",
    "answer" TEXT COLLATE "C",

    CONSTRAINT "notification_attempt_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "forex_rate" (
    "source" TEXT COLLATE "C" NOT NULL,
    "currency" TEXT COLLATE "C" NOT NULL,
    "base" TEXT COLLATE "C" NOT NULL,
    "rate" DECIMAL(30,15) NOT NULL,
    "as_of" TIMESTAMPTZ(3) NOT NULL,
    "fetched_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "forex_rate_pkey" PRIMARY KEY ("source","currency")
);

-- CreateIndex
CREATE UNIQUE INDEX "merchant_user_email_key" ON "merchant_user"("email");

-- CreateIndex
CREATE INDEX "user_session_user_id_idx" ON "user_session"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "api_key_key_key" ON "api_key"("key");

-- CreateIndex
CREATE INDEX "api_key_merchant_id_mode_idx" ON "api_key"("merchant_id", "mode");

-- CreateIndex
CREATE INDEX "certificate_merchant_id_idx" ON "certificate"("merchant_id");

-- CreateIndex
CREATE INDEX "webhook_merchant_id_mode_idx" ON "webhook"("merchant_id", "mode");

-- CreateIndex
CREATE INDEX "customer_merchant_id_mode_phone_idx" ON "customer"("merchant_id", "mode", "phone");

-- CreateIndex
CREATE UNIQUE INDEX "customer_merchant_id_mode_email_key" ON "customer"("merchant_id", "mode", "email");

-- CreateIndex
CREATE INDEX "receiving_account_merchant_id_mode_method_status_idx" ON "receiving_account"("merchant_id", "mode", "method", "status");

-- CreateIndex
CREATE INDEX "checkout_link_merchant_id_mode_id_idx" ON "checkout_link"("merchant_id", "mode", "id");

-- CreateIndex
CREATE INDEX "checkout_session_merchant_id_mode_id_idx" ON "checkout_session"("merchant_id", "mode", "id");

-- CreateIndex
CREATE UNIQUE INDEX "charge_session_id_key" ON "charge"("session_id");

-- CreateIndex
CREATE INDEX "charge_merchant_id_mode_id_idx" ON "charge"("merchant_id", "mode", "id" DESC);

-- CreateIndex
CREATE INDEX "charge_receiving_account_id_nonce_idx" ON "charge"("receiving_account_id", "nonce");

-- CreateIndex
CREATE INDEX "charge_customer_id_idx" ON "charge"("customer_id");

-- CreateIndex
CREATE INDEX "charge_checkout_link_id_idx" ON "charge"("checkout_link_id");

-- CreateIndex
CREATE INDEX "refund_charge_id_idx" ON "refund"("charge_id");

-- CreateIndex
CREATE INDEX "refund_merchant_id_mode_id_idx" ON "refund"("merchant_id", "mode", "id" DESC);

-- CreateIndex
CREATE INDEX "transfer_merchant_id_mode_id_idx" ON "transfer"("merchant_id", "mode", "id" DESC);

-- CreateIndex
CREATE INDEX "transfer_merchant_id_mode_status_id_idx" ON "transfer"("merchant_id", "mode", "status", "id" DESC);

-- CreateIndex
CREATE INDEX "transfer_receiving_account_id_amount_paid_at_idx" ON "transfer"("receiving_account_id", "amount", "paid_at");

-- CreateIndex
CREATE UNIQUE INDEX "transfer_receiving_account_id_source_bank_reference_key" ON "transfer"("receiving_account_id", "source", "bank_reference");

-- CreateIndex
CREATE INDEX "allocation_transfer_id_idx" ON "allocation"("transfer_id");

-- CreateIndex
CREATE INDEX "allocation_charge_id_idx" ON "allocation"("charge_id");

-- CreateIndex
CREATE INDEX "statement_merchant_id_mode_id_idx" ON "statement"("merchant_id", "mode", "id" DESC);

-- CreateIndex
CREATE INDEX "event_object_id_idx" ON "event"("object_id");

-- CreateIndex
CREATE UNIQUE INDEX "event_merchant_id_mode_sequence_key" ON "event"("merchant_id", "mode", "sequence");

-- CreateIndex
CREATE INDEX "notification_merchant_id_mode_id_idx" ON "notification"("merchant_id", "mode", "id" DESC);

-- CreateIndex
CREATE INDEX "notification_event_id_idx" ON "notification"("event_id");

-- CreateIndex
CREATE UNIQUE INDEX "notification_attempt_notification_id_number_key" ON "notification_attempt"("notification_id", "number");

-- AddForeignKey
ALTER TABLE "merchant_user" ADD CONSTRAINT "merchant_user_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchant"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "user_session" ADD CONSTRAINT "user_session_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "merchant_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchant"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "certificate" ADD CONSTRAINT "certificate_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchant"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook" ADD CONSTRAINT "webhook_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchant"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "receiving_account" ADD CONSTRAINT "receiving_account_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchant"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "charge" ADD CONSTRAINT "charge_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchant"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "charge" ADD CONSTRAINT "charge_customer_id_fkey" FOREIGN KEY ("customer_id") REFERENCES "customer"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "charge" ADD CONSTRAINT "charge_receiving_account_id_fkey" FOREIGN KEY ("receiving_account_id") REFERENCES "receiving_account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "charge" ADD CONSTRAINT "charge_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "checkout_session"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "charge" ADD CONSTRAINT "charge_checkout_link_id_fkey" FOREIGN KEY ("checkout_link_id") REFERENCES "checkout_link"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "refund" ADD CONSTRAINT "refund_charge_id_fkey" FOREIGN KEY ("charge_id") REFERENCES "charge"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "transfer" ADD CONSTRAINT "transfer_receiving_account_id_fkey" FOREIGN KEY ("receiving_account_id") REFERENCES "receiving_account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "transfer" ADD CONSTRAINT "transfer_statement_id_fkey" FOREIGN KEY ("statement_id") REFERENCES "statement"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "allocation" ADD CONSTRAINT "allocation_transfer_id_fkey" FOREIGN KEY ("transfer_id") REFERENCES "transfer"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "allocation" ADD CONSTRAINT "allocation_charge_id_fkey" FOREIGN KEY ("charge_id") REFERENCES "charge"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "statement" ADD CONSTRAINT "statement_receiving_account_id_fkey" FOREIGN KEY ("receiving_account_id") REFERENCES "receiving_account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notification" ADD CONSTRAINT "notification_event_id_fkey" FOREIGN KEY ("event_id") REFERENCES "event"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notification" ADD CONSTRAINT "notification_webhook_id_fkey" FOREIGN KEY ("webhook_id") REFERENCES "webhook"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notification_attempt" ADD CONSTRAINT "notification_attempt_notification_id_fkey" FOREIGN KEY ("notification_id") REFERENCES "notification"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- By hand from here: what the schema language cannot say.

-- A nonce names one open charge of its receiving account.
CREATE UNIQUE INDEX "charge_open_nonce_key" ON "charge"("receiving_account_id", "nonce") WHERE "status" = 'pending';

-- What the sweeps look for: due charges and sessions, events to relay, notifications to deliver.
CREATE INDEX "charge_pending_expires_at_idx" ON "charge"("expires_at") WHERE "status" = 'pending';
CREATE INDEX "checkout_session_open_expires_at_idx" ON "checkout_session"("expires_at") WHERE "status" IN ('created', 'initiated');
CREATE INDEX "event_unrelayed_idx" ON "event"("id") WHERE "relayed_at" IS NULL;
CREATE INDEX "notification_pending_next_attempt_at_idx" ON "notification"("next_attempt_at") WHERE "status" = 'pending';

-- One notification for each event and target, however often the relay runs.
CREATE UNIQUE INDEX "notification_event_webhook_key" ON "notification"("event_id", "webhook_id") WHERE "webhook_id" IS NOT NULL;
CREATE UNIQUE INDEX "notification_event_callback_key" ON "notification"("event_id") WHERE "webhook_id" IS NULL;

-- A customer known by phone alone.
CREATE UNIQUE INDEX "customer_phone_only_key" ON "customer"("merchant_id", "mode", "phone") WHERE "email" IS NULL;

ALTER TABLE "charge" ADD CONSTRAINT "charge_amounts_positive" CHECK ("merchant_amount" > 0 AND "customer_amount" > 0);
ALTER TABLE "checkout_session" ADD CONSTRAINT "checkout_session_amount_positive" CHECK ("amount" > 0);
ALTER TABLE "checkout_link" ADD CONSTRAINT "checkout_link_amount_positive" CHECK ("amount" > 0);
ALTER TABLE "refund" ADD CONSTRAINT "refund_amount_positive" CHECK ("customer_amount" > 0);
ALTER TABLE "transfer" ADD CONSTRAINT "transfer_amount_positive" CHECK ("amount" > 0);

-- Allocations say what money counted for what: never changed, never deleted.
CREATE FUNCTION "refuse_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END $$;
CREATE TRIGGER "allocation_append_only" BEFORE UPDATE OR DELETE ON "allocation"
  FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
