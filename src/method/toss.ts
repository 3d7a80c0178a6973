import { bankMember, detailsForm, readDigits, readForm, textMember } from './details.ts';
import { amountText, demoName, type Payment, type Scheme } from './scheme.ts';

/**
 * Toss, Korea: a link that opens a filled transfer in the Toss app, as QR content and as deep link. No official document
 * was found; published apps agree on `amount`, `bank` (a name or the 3-digit code) and `accountNo`. It carries no remark:
 * the customer types the nonce as the name shown to the payee.
 */
const form = detailsForm('A bank account in Korea', {
  bankCode: textMember('Bank code: 3 digits', '092', 20),
  account: textMember('Account number: 10 to 16 digits', '100012345678', 30),
  bank: bankMember('Toss Bank'),
});

export type TossDetails = { bankCode: string; account: string; bank: string };

export const toss: Scheme<TossDetails> = {
  method: 'toss',
  detailsSchema: form,
  demoDetails: { bankCode: '000', account: '000000000000', bank: 'Demo Bank' },

  parseDetails(input) {
    const details = readForm(form, input);
    return {
      bankCode: readDigits(details.bankCode, '/bankCode', 3),
      account: readDigits(details.account, '/account', 10, 16),
      bank: details.bank,
    };
  },

  accountOf: (details) => `${details.bankCode}-${details.account}`,
  bankOf: (details) => details.bank,
  carriesReference: () => false,
  qrCode: tossLink,
  deepLink: tossLink,
};

function tossLink(details: TossDetails, payment: Payment): string {
  const query = new URLSearchParams({
    amount: amountText('toss', payment.amount),
    bank: details.bankCode,
    accountNo: details.account,
  });
  // The link names no holder; `origin` is its only free text.
  if (payment.demo) query.set('origin', demoName);
  return `supertoss://send?${query}`;
}
