import { bankMember, detailsForm, readDigits, readForm, textMember } from './details.ts';
import type { Scheme } from './scheme.ts';

/** A bank account in Hong Kong, typed by the customer: there is no code for a bare account (FPS has one for its ids). */
const form = detailsForm('A bank account in Hong Kong', {
  bankCode: textMember('Bank code: 3 digits, as in clearing', '004', 20),
  account: textMember('Account number with branch code: 9 to 12 digits', '123-456789-001', 30),
  bank: bankMember('HSBC'),
});

export type HkBankTransferDetails = { bankCode: string; account: string; bank: string };

export const hkBankTransfer: Scheme<HkBankTransferDetails> = {
  method: 'hk-bank-transfer',
  detailsSchema: form,
  demoDetails: { bankCode: '000', account: '000000000', bank: 'Demo Bank' },

  parseDetails(input) {
    const details = readForm(form, input);
    return {
      bankCode: readDigits(details.bankCode, '/bankCode', 3),
      account: readDigits(details.account, '/account', 9, 12),
      bank: details.bank,
    };
  },

  accountOf: (details) => `${details.bankCode}-${details.account}`,
  bankOf: (details) => details.bank,
  carriesReference: () => true,
  qrCode: () => '',
};
