import { bankMember, detailsForm, parseForm, textMember } from './details.ts';
import { foldNzSuffix, readNzAccount } from './nz-account-number.ts';
import type { Scheme } from './scheme.ts';

const form = detailsForm('Bank account in New Zealand', {
  account: textMember(
    'Account number: 2 digits for the bank, 4 for the branch, 7 for the account, and 2 or 3 for the suffix',
    '01-0902-0068389-00',
    30,
  ),
  bank: bankMember('ANZ'),
});

export type NzBankTransferDetails = { account: string; bank: string };

/** A bank account in New Zealand, which the customer types in. There is no QR standard. */
export const nzBankTransfer: Scheme<NzBankTransferDetails> = {
  method: 'nz-bank-transfer',
  detailsSchema: form,
  // An account number is never 0, but its check digits are valid.
  demoDetails: { account: '38-9005-0000000-00', bank: 'Demo Bank' },

  parseDetails(input) {
    const details = parseForm(form, input);
    return { account: readNzAccount(details.account, '/account'), bank: details.bank };
  },

  getAccount: (details) => details.account,
  getIdentity: (details) => foldNzSuffix(details.account),
  foldAccount: foldNzSuffix,
  getBank: (details) => details.bank,
  canCarryReference: () => true,
  qrCode: () => '',
};
