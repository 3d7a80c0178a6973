-- Finds what another source told of the same money, however much this one has told of the same amount.
CREATE INDEX "transfer_told_by_idx" ON "transfer"("receiving_account_id", "source", "file_kind", "amount", "paid_at");

-- Finds the twins of a transfer.
CREATE INDEX "transfer_same_as_idx" ON "transfer"("same_as_id") WHERE "same_as_id" IS NOT NULL;
