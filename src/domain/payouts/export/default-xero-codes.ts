/**
 * The account codes of Xero’s default chart of accounts. It has no clearing account for `bank`, and manual
 * journals cannot post to bank accounts.
 */
export const defaultXeroCodes = {
  sales: '200',
  customer_deposits: '850',
  refunds: '200',
  bank_fees: '404',
  other_income: '260',
  unmatched_receipts: '850',
  returned_receipts: '850',
};
