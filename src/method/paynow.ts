import { Type } from 'typebox';
import {
  bankMember,
  computeWeightedSum,
  detailsForm,
  invalidAccountError,
  parseOneForm,
  readMobile,
  stripSeparators,
  textMember,
} from './details.ts';
import { writePaymentCode } from './payment-code.ts';
import { type Scheme, toCodeName } from './scheme.ts';

const bank = Type.Optional(bankMember('DBS'));

const forms = {
  uen: detailsForm('Payment by UEN, for businesses', {
    uen: textMember(
      'Unique Entity Number: 9 or 10 characters, followed by the 3-character suffix of the account if there is one',
      '209900000ZABC',
      20,
    ),
    bank,
  }),
  mobile: detailsForm('Payment by mobile number', {
    mobile: textMember('Singapore mobile number registered for PayNow', '+65 8123 4567', 30),
    bank,
  }),
};

export type PayNowDetails = { uen: string; bank?: string } | { mobile: string; bank?: string };

/** PayNow, Singapore: a code from a business's UEN or a mobile number (SGQR, field 26 `SG.PAYNOW`). */
export const paynow: Scheme<PayNowDetails> = {
  method: 'paynow',
  detailsSchema: Type.Union(Object.values(forms)),
  // The UEN of a company registered in the year 2099.
  demoDetails: { uen: '209900000Z' },

  parseDetails(input) {
    const details = parseOneForm(forms, input);
    if ('uen' in details) return { ...details, uen: readUen(details.uen) };
    return { ...details, mobile: readMobile(details.mobile, '/mobile', 'SG') };
  },

  getAccount: (details) => ('uen' in details ? details.uen : details.mobile),
  getIdentity: (details) => ('uen' in details ? details.uen : details.mobile),
  getBank: (details) => details.bank ?? 'PayNow',
  canCarryReference: () => true,

  qrCode(details, payment) {
    const proxy =
      'uen' in details
        ? ([['01', '2'] as const, ['02', details.uen] as const] as const)
        : ([['01', '0'] as const, ['02', details.mobile] as const] as const);
    return writePaymentCode('paynow', {
      amount: payment.amount,
      // 03 = 0: the customer cannot change the amount.
      receiver: ['26', [['00', 'SG.PAYNOW'], ...proxy, ['03', '0']]],
      category: '0000',
      name: toCodeName(payment),
      city: 'Singapore',
      // The bill number (62-01) appears on the statement; 62-05 does not.
      additional: [['01', payment.paymentReference]],
    });
  },
};

const uenFormats = [
  { name: 'business', pattern: /^\d{8}[A-Z]/, checkLetter: computeBusinessLetter },
  { name: 'company', pattern: /^\d{9}[A-Z]/, checkLetter: computeCompanyLetter },
  {
    name: 'other entity',
    pattern: /^[RST]\d{2}[A-Z]{2}\d{4}[A-Z0-9]/,
    checkLetter: computeOtherEntityLetter,
  },
];

/**
 * Reads a UEN in one of its three forms (ACRA) with its check letter. PayNow may append a suffix to
 * distinguish accounts.
 */
function readUen(text: string): string {
  const uen = stripSeparators(text).toUpperCase();
  const format = uenFormats.find(({ pattern }) => pattern.test(uen));
  const length = format?.name === 'business' ? 9 : 10;
  const suffix = uen.slice(length);
  if (!format || (suffix !== '' && !/^[A-Z0-9]{3}$/.test(suffix))) {
    throw invalidAccountError(
      '/uen',
      'must be a UEN of 9 or 10 characters with its check letter, such as 209900000Z, optionally followed by a suffix of 3 letters or digits',
    );
  }
  if (uen[length - 1] !== format.checkLetter(uen))
    throw invalidAccountError(
      '/uen',
      'has an invalid check letter, the last character of a UEN such as 209900000Z',
    );
  return uen;
}

function computeBusinessLetter(uen: string): string | undefined {
  return 'XMKECAWLJDB'[computeWeightedSum(uen, [10, 4, 9, 3, 8, 2, 7, 1]) % 11];
}

function computeCompanyLetter(uen: string): string | undefined {
  return 'ZKCMDNERGWH'[computeWeightedSum(uen, [10, 8, 6, 4, 9, 7, 5, 3, 1]) % 11];
}

/** The value of each character is its index in this alphabet. */
const otherAlphabet = 'ABCDEFGHJKLMNPQRSTUVWX0123456789';

function computeOtherEntityLetter(uen: string): string | undefined {
  const sum = [4, 3, 5, 3, 10, 2, 2, 5, 7].reduce(
    (total, weight, i) => total + weight * otherAlphabet.indexOf(uen[i] ?? ''),
    0,
  );
  return otherAlphabet[(sum - 5 + 11) % 11];
}
