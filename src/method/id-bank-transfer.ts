import { bankMember, detailsForm, readDigits, readForm, textMember } from './details.ts';
import type { Scheme } from './scheme.ts';

/** A bank account in Indonesia, typed by the customer: there is no code for accounts (QRIS pays merchant ids). */
const form = detailsForm('A bank account in Indonesia', {
  bankCode: textMember('Bank code: 3 digits, as in clearing', '014', 20),
  account: textMember('Account number: 8 to 16 digits', '0123456789', 30),
  bank: bankMember('BCA'),
});

export type IdBankTransferDetails = { bankCode: string; account: string; bank: string };

export const idBankTransfer: Scheme<IdBankTransferDetails> = {
  method: 'id-bank-transfer',
  detailsSchema: form,
  demoDetails: { bankCode: '000', account: '0000000000', bank: 'Demo Bank' },

  parseDetails(input) {
    const details = readForm(form, input);
    return {
      bankCode: readDigits(details.bankCode, '/bankCode', 3),
      account: readDigits(details.account, '/account', 8, 16),
      bank: details.bank,
    };
  },

  accountOf: (details) => `${details.bankCode}-${details.account}`,
  bankOf: (details) => details.bank,
  carriesReference: () => true,
  qrCode: () => '',
};
