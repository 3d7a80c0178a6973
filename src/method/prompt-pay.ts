import { Type } from 'typebox';
import {
  bankMember,
  computeWeightedSum,
  detailsForm,
  invalidAccountError,
  parseOneForm,
  readDigits,
  readMobile,
  stripSeparators,
  textMember,
} from './details.ts';
import type { EmvField } from './emv.ts';
import { toDemoName, writePaymentCode } from './payment-code.ts';
import type { Scheme } from './scheme.ts';

const bank = Type.Optional(bankMember('Kasikornbank'));

/** The first form is the default: a small shop has a mobile number or an ID, but no biller ID. */
const forms = {
  mobile: detailsForm('Payment by mobile number, without a payment reference', {
    mobile: textMember(
      'Thai mobile number registered for PromptPay: linked to the bank account that receives the payments',
      '+66 81 234 5678',
      30,
    ),
    bank,
  }),
  taxId: detailsForm('Payment by national or tax ID, without a payment reference', {
    taxId: textMember(
      'National or tax ID registered for PromptPay: 13 digits, linked to the bank account that receives the payments',
      '0105500000003',
      30,
    ),
    bank,
  }),
  billerId: detailsForm('Bill payment, with a payment reference', {
    billerId: textMember(
      'Biller ID issued by the bank: 15 digits, which are the tax ID and a 2-digit suffix',
      '010550000000301',
      30,
    ),
    reference2: Type.Optional(
      textMember(
        'Fixed second reference: letters and digits, required only if the bank has set up the biller to need one',
        'SHOP1',
        20,
      ),
    ),
    bank,
  }),
  eWalletId: detailsForm('Payment by e-wallet ID, without a payment reference', {
    eWalletId: textMember('E-wallet ID: 15 digits', '140000812345678', 30),
    bank,
  }),
};

export type PromptPayDetails =
  | { billerId: string; reference2?: string; bank?: string }
  | { mobile: string; bank?: string }
  | { taxId: string; bank?: string }
  | { eWalletId: string; bank?: string };

/**
 * PromptPay, Thailand (Bank of Thailand, Thai QR Code). Field 29 pays a mobile number, a national or tax ID or an
 * e-wallet, and carries no reference. Field 30 pays a biller that a bank has registered, with references.
 */
export const promptPay: Scheme<PromptPayDetails> = {
  method: 'prompt-pay',
  detailsSchema: Type.Union(Object.values(forms)),
  // Tax IDs begin with 0 and the number of a province, which is never 00.
  demoDetails: { billerId: '000000000000000' },

  parseDetails(input) {
    const details = parseOneForm(forms, input);
    if ('mobile' in details) return { ...details, mobile: readMobile(details.mobile, '/mobile', 'TH') };
    if ('taxId' in details) return { ...details, taxId: readTaxId(details.taxId) };
    if ('eWalletId' in details)
      return { ...details, eWalletId: readDigits(details.eWalletId, '/eWalletId', 15) };
    const reference2 = details.reference2 !== undefined && { reference2: readReference(details.reference2) };
    return { ...details, billerId: readDigits(details.billerId, '/billerId', 15), ...reference2 };
  },

  getAccount(details) {
    if ('mobile' in details) return details.mobile;
    if ('taxId' in details) return details.taxId;
    return 'eWalletId' in details ? details.eWalletId : details.billerId;
  },

  /** Different accounts of a biller may differ only in the second reference. */
  getIdentity(details) {
    if ('billerId' in details) return JSON.stringify(['biller', details.billerId, details.reference2]);
    return JSON.stringify(toProxyField(details));
  },

  getBank: (details) => details.bank ?? 'PromptPay',

  canCarryReference: (details) => 'billerId' in details,

  qrCode: (details, payment) =>
    writePaymentCode('prompt-pay', {
      amount: payment.amount,
      receiver: toReceiverField(details, payment.paymentReference),
      name: toDemoName(payment),
    }),
};

const transferAid = 'A000000677010111';
const billAid = 'A000000677010112';

function toReceiverField(details: PromptPayDetails, paymentReference: string): EmvField {
  if ('billerId' in details) {
    const secondReference: EmvField[] = details.reference2 === undefined ? [] : [['03', details.reference2]];
    return ['30', [['00', billAid], ['01', details.billerId], ['02', paymentReference], ...secondReference]];
  }
  return ['29', [['00', transferAid], toProxyField(details)]];
}

function toProxyField(details: Exclude<PromptPayDetails, { billerId: string }>): EmvField {
  // 13 digits for phones of any country: 00, the calling code, the number.
  if ('mobile' in details) return ['01', details.mobile.replace('+66', '0066')];
  return 'taxId' in details ? ['02', details.taxId] : ['03', details.eWalletId];
}

/** Reads a tax ID of 13 digits. The last is the check digit: 11 minus the weighted sum mod 11, mod 10. */
function readTaxId(text: string): string {
  const taxId = readDigits(text, '/taxId', 13);
  const sum = computeWeightedSum(taxId, [13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2]);
  if (Number(taxId[12]) !== (11 - (sum % 11)) % 10)
    throw invalidAccountError('/taxId', 'has an invalid check digit');
  return taxId;
}

function readReference(text: string): string {
  const reference = stripSeparators(text).toUpperCase();
  if (!/^[A-Z0-9]{1,20}$/.test(reference))
    throw invalidAccountError('/reference2', 'must be 1 to 20 letters or digits');
  return reference;
}
