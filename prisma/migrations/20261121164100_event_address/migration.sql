-- AlterTable
ALTER TABLE "event" ADD COLUMN     "address" TEXT COLLATE "C";
