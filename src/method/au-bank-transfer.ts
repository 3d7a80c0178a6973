import { Type } from 'typebox';
import {
  bankMember,
  computeWeightedSum,
  detailsForm,
  invalidAccountError,
  parseOneForm,
  readDigits,
  readEmailAddress,
  readMobile,
  textMember,
} from './details.ts';
import type { Scheme } from './scheme.ts';

const bank = Type.Optional(bankMember('Commonwealth Bank'));

const forms = {
  bsb: detailsForm('Payment by BSB and account number', {
    bsb: textMember('Bank-State-Branch number: 6 digits', '062-000', 20),
    account: textMember('Account number: 5 to 9 digits', '12345678', 30),
    bank: bankMember('Commonwealth Bank'),
  }),
  mobile: detailsForm('Payment by PayID with a mobile number', {
    mobile: textMember('Australian mobile number registered as PayID', '+61 412 345 678', 30),
    bank,
  }),
  email: detailsForm('Payment by PayID with an email address', {
    email: textMember('Email address registered as PayID', 'pay@example.com.au', 254),
    bank,
  }),
  abn: detailsForm('Payment by PayID with an ABN', {
    abn: textMember('Australian Business Number registered as PayID: 11 digits', '99 000 000 000', 30),
    bank,
  }),
};

export type AuBankTransferDetails =
  | { bsb: string; account: string; bank: string }
  | { mobile: string; bank?: string }
  | { email: string; bank?: string }
  | { abn: string; bank?: string };

/**
 * An account in Australia, identified by BSB and number or by a PayID (mobile number, email address or ABN). There is
 * no QR standard.
 */
export const auBankTransfer: Scheme<AuBankTransferDetails> = {
  method: 'au-bank-transfer',
  detailsSchema: Type.Union(Object.values(forms)),
  demoDetails: { bsb: '000000', account: '00000000', bank: 'Demo Bank' },

  parseDetails(input) {
    const details = parseOneForm(forms, input);
    if ('mobile' in details) return { ...details, mobile: readMobile(details.mobile, '/mobile', 'AU') };
    if ('email' in details) return { ...details, email: readEmailAddress(details.email, '/email', 254) };
    if ('abn' in details) return { ...details, abn: readAbn(details.abn) };
    return {
      bsb: readDigits(details.bsb, '/bsb', 6),
      account: readDigits(details.account, '/account', 5, 9),
      bank: details.bank,
    };
  },

  getAccount(details) {
    if ('mobile' in details) return details.mobile;
    if ('email' in details) return details.email;
    if ('abn' in details) return details.abn;
    return `${details.bsb.slice(0, 3)}-${details.bsb.slice(3)} ${details.account}`;
  },

  getIdentity(details) {
    if ('mobile' in details) return details.mobile;
    if ('email' in details) return details.email.toLowerCase();
    return 'abn' in details ? `ABN ${details.abn}` : `${details.bsb}-${details.account}`;
  },

  getBank: (details) => details.bank ?? 'PayID',
  canCarryReference: () => true,
  qrCode: () => '',
};

/**
 * Reads an ABN of 11 digits. With 1 subtracted from the first digit, the weighted sum must be a multiple of
 * 89 (Australian Business Register).
 */
function readAbn(text: string): string {
  const abn = readDigits(text, '/abn', 11);
  const sum = computeWeightedSum(abn, [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19]) - 10;
  if (abn.startsWith('0') || sum % 89 !== 0) throw invalidAccountError('/abn', 'has invalid check digits');
  return abn;
}
