-- AlterTable
ALTER TABLE "invoice" ADD COLUMN     "noticed_at" TIMESTAMPTZ(3);

-- Earlier invoices were told of when they were made.
UPDATE "invoice" SET "noticed_at" = "created_at";
