import { type BankAccountDetails, createBankAccountScheme } from './bank-account.ts';
import { demoName, formatCodeAmount, type PaymentCodeInput, type Scheme } from './scheme.ts';

/**
 * Toss, Korea: a link that opens a prefilled transfer in the Toss app, as QR content and as deep link. There is no
 * official specification; published apps agree on `amount`, `bank` (a name or the 3-digit code) and `accountNo`. The
 * link has no remark, so the customer types the payment reference as the sender name.
 */
export const toss: Scheme<BankAccountDetails> = {
  method: 'toss',
  ...createBankAccountScheme({
    description: 'Bank account in Korea',
    bankCode: { description: 'Bank code: 3 digits', example: '092' },
    account: {
      description: 'Account number: 10 to 16 digits',
      example: '100012345678',
      min: 10,
      max: 16,
    },
    bank: 'Toss Bank',
  }),
  demoDetails: { bankCode: '000', account: '000000000000', bank: 'Demo Bank' },
  canCarryReference: () => false,
  qrCode: buildTossLink,
  deepLink: buildTossLink,
};

function buildTossLink(details: BankAccountDetails, payment: PaymentCodeInput): string {
  const query = new URLSearchParams({
    amount: formatCodeAmount('toss', payment.amount),
    bank: details.bankCode,
    accountNo: details.account,
  });
  // The link has no field for the holder; `origin` is its only free text.
  if (payment.demo) query.set('origin', demoName);
  return `supertoss://send?${query}`;
}
