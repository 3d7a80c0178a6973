import { Type } from 'typebox';
import {
  bankMember,
  detailsForm,
  invalidAccountError,
  parseOneForm,
  readDigits,
  stripSeparators,
  textMember,
} from './details.ts';
import { formatCodeAmount, type PaymentCodeInput, type Scheme, toCodeName } from './scheme.ts';

/**
 * UPI, India: a `upi://pay` link, as QR content and as deep link (NPCI, UPI Linking Specification 1.6). The
 * payee is a UPI ID, or an account by its IFSC, which fewer apps support. Only registered merchants may send
 * `mc`, `tid`, `mode`, `orgid` and `sign`, so these are omitted.
 */
const forms = {
  vpa: detailsForm('Payment by UPI ID', {
    vpa: textMember('UPI ID (virtual payment address)', 'shop@examplebank', 255),
    bank: Type.Optional(bankMember('HDFC Bank')),
  }),
  ifsc: detailsForm('Payment by account number and IFSC', {
    ifsc: textMember('IFSC of the branch', 'HDFC0000001', 20),
    account: textMember('Account number: 9 to 18 digits', '50100012345678', 40),
    bank: bankMember('HDFC Bank'),
  }),
};

export type InBankTransferDetails =
  | { vpa: string; bank?: string }
  | { ifsc: string; account: string; bank: string };

export const inBankTransfer: Scheme<InBankTransferDetails> = {
  method: 'in-bank-transfer',
  detailsSchema: Type.Union(Object.values(forms)),
  // No provider uses the handle `example`.
  demoDetails: { vpa: 'demo@example' },

  parseDetails(input) {
    const details = parseOneForm(forms, input);
    if ('vpa' in details) return { ...details, vpa: readVpa(details.vpa) };
    const ifsc = stripSeparators(details.ifsc).toUpperCase();
    if (!/^[A-Z]{4}0[A-Z0-9]{6}$/.test(ifsc)) {
      throw invalidAccountError('/ifsc', 'must be an IFSC, such as HDFC0001234');
    }
    return { ...details, ifsc, account: readDigits(details.account, '/account', 9, 18) };
  },

  getAccount: (details) => ('vpa' in details ? details.vpa : `${details.ifsc}-${details.account}`),
  getIdentity: (details) =>
    'vpa' in details ? details.vpa.toLowerCase() : `${details.ifsc}-${details.account}`,
  getBank: (details) => details.bank ?? 'UPI',
  canCarryReference: () => true,
  qrCode: buildUpiLink,
  deepLink: buildUpiLink,
};

function buildUpiLink(details: InBankTransferDetails, payment: PaymentCodeInput): string {
  const payeeAddress = 'vpa' in details ? details.vpa : `${details.account}@${details.ifsc}.ifsc.npci`;
  // The UPI ID is not escaped, because some apps do not accept %40 for @.
  const values = {
    pn: toCodeName(payment, 50),
    am: formatCodeAmount('in-bank-transfer', payment.amount),
    cu: 'INR',
    tn: payment.paymentReference,
    tr: payment.paymentReference,
  };
  const parameters = Object.entries(values).map(([name, value]) => `&${name}=${encodeURIComponent(value)}`);
  return `upi://pay?pa=${payeeAddress}${parameters.join('')}`;
}

function readVpa(text: string): string {
  const vpa = text.trim();
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]+@[A-Za-z][A-Za-z0-9]+$/.test(vpa)) {
    throw invalidAccountError('/vpa', 'must be a UPI ID, such as shop@examplebank');
  }
  return vpa;
}
