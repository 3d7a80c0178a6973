-- The books go by the bank's date where it gives no time: the index has to say which of the two it is.
DROP INDEX "transfer_books_idx";
CREATE INDEX "transfer_books_idx" ON "transfer"("merchant_id", "mode", "paid_at")
  INCLUDE ("id", "receiving_account_id", "currency", "direction", "status", "amount", "allocated", "paid_at_is_date");
