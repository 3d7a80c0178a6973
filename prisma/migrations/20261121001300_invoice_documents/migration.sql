-- AlterTable
ALTER TABLE "merchant" ADD COLUMN     "postal_address" TEXT COLLATE "C" NOT NULL DEFAULT '';

-- AlterTable
ALTER TABLE "invoice" ADD COLUMN     "merchant_address" TEXT COLLATE "C" NOT NULL DEFAULT '',
ADD COLUMN     "merchant_name" TEXT COLLATE "C",
ADD COLUMN     "orders" JSONB,
ADD COLUMN     "plan_name" TEXT COLLATE "C";

-- What earlier invoices were made with is what merchant and plan say now.
UPDATE "invoice" SET "merchant_name" = "merchant"."name", "plan_name" = "plan"."name", "orders" = "plan"."orders"
  FROM "subscription", "subscription_plan" AS "plan", "merchant"
  WHERE "subscription"."id" = "invoice"."subscription_id" AND "plan"."id" = "subscription"."plan_id"
    AND "merchant"."id" = "invoice"."merchant_id";

ALTER TABLE "invoice" ALTER COLUMN "merchant_address" DROP DEFAULT,
ALTER COLUMN "merchant_name" SET NOT NULL,
ALTER COLUMN "orders" SET NOT NULL,
ALTER COLUMN "plan_name" SET NOT NULL;
