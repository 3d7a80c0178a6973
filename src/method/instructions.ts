import { getBankName } from './banks.ts';
import { type MethodCode, paymentMethods } from './catalog.ts';
import type { DetailsByMethod, ReceivingDetails } from './schemes.ts';

/** The fields that payment apps ask for. The pages have a label for each. */
export type InstructionField =
  | 'bank'
  | 'account_number'
  | 'account_name'
  | 'amount'
  | 'reference'
  | 'bsb'
  | 'pay_id'
  | 'upi_id'
  | 'ifsc'
  | 'uen'
  | 'mobile'
  | 'email'
  | 'fps_id'
  | 'biller_id'
  | 'reference1'
  | 'reference2'
  | 'tax_id'
  | 'e_wallet_id'
  | 'merchant_name';

/** One value that the customer enters or chooses in the payment app. */
export type InstructionRow = {
  field: InstructionField;
  value: string;
  /** The code of a bank, which apps show in brackets after its name. */
  code?: string;
};

type PaymentTexts = { holder: string; bank: string; amount: string; paymentReference: string };

/** The calling codes of mobile numbers, with the prefix that apps of the country expect in their place. */
const nationalPrefixes = { '+852': '', '+65': '', '+66': '0', '+61': '0' };

/** Returns a mobile number as people of its country write it, because their apps do not accept a country code. */
function toNationalNumber(mobile: string): string {
  const prefix = Object.entries(nationalPrefixes).find(([code]) => mobile.startsWith(code));
  return prefix ? prefix[1] + mobile.slice(prefix[0].length) : mobile;
}

type Row = InstructionRow | undefined;
type BuildRows<D> = (details: D, texts: PaymentTexts) => Row[];

const accountNumber = (value: string): Row => ({ field: 'account_number', value });
const holder = (texts: PaymentTexts): Row => ({ field: 'account_name', value: texts.holder });
const amount = (texts: PaymentTexts): Row => ({ field: 'amount', value: texts.amount });
const reference = (texts: PaymentTexts): Row => ({ field: 'reference', value: texts.paymentReference });
const merchantName = (texts: PaymentTexts): Row => ({ field: 'merchant_name', value: texts.holder });

/** Returns the bank with the name that apps show or, for an unknown code, the name that the merchant entered. */
function listedBank(method: MethodCode, code: string, texts: PaymentTexts): Row {
  const name = getBankName(paymentMethods[method].country, code) ?? texts.bank;
  return { field: 'bank', value: name, code };
}

const namedBank = (bank: string | undefined): Row => (bank ? { field: 'bank', value: bank } : undefined);

type CodedAccount = { bankCode: string; account: string };

/** A bank account whose bank customers choose from a list. */
const toCodedAccountRows =
  (method: MethodCode): BuildRows<CodedAccount> =>
  ({ bankCode, account }, texts) => [
    listedBank(method, bankCode, texts),
    accountNumber(account),
    holder(texts),
    amount(texts),
    reference(texts),
  ];

/** The rows of each method, in the order in which the apps of its country ask for them. */
const rowsByMethod: { readonly [M in MethodCode]: BuildRows<DetailsByMethod[M]> } = {
  fps: (details, texts) => [
    toFpsId(details),
    'bankCode' in details && details.bankCode !== undefined
      ? listedBank('fps', details.bankCode, texts)
      : namedBank(details.bank),
    holder(texts),
    amount(texts),
    reference(texts),
  ],
  'hk-bank-transfer': toCodedAccountRows('hk-bank-transfer'),
  paynow: (details, texts) => [
    'uen' in details
      ? { field: 'uen', value: details.uen }
      : { field: 'mobile', value: toNationalNumber(details.mobile) },
    holder(texts),
    amount(texts),
    reference(texts),
  ],
  'viettel-pay': (details, texts) => [
    namedBank(getBankName('VN', details.bin) ?? texts.bank),
    accountNumber(details.account),
    holder(texts),
    amount(texts),
    reference(texts),
  ],
  'duit-now': (details, texts) => [
    merchantName(texts),
    namedBank(details.bank),
    details.account === undefined ? undefined : accountNumber(details.account),
    amount(texts),
    reference(texts),
  ],
  instapay: (details, texts) =>
    'bic' in details
      ? [
          namedBank(getBankName('PH', details.bic.slice(0, 8)) ?? texts.bank),
          accountNumber(details.account),
          holder(texts),
          amount(texts),
          reference(texts),
        ]
      : [merchantName(texts), amount(texts), reference(texts)],
  'prompt-pay': (details, texts) =>
    'billerId' in details
      ? [
          { field: 'biller_id', value: details.billerId },
          holder(texts),
          { field: 'reference1', value: texts.paymentReference },
          details.reference2 === undefined ? undefined : { field: 'reference2', value: details.reference2 },
          amount(texts),
        ]
      : [toPromptPayId(details), holder(texts), amount(texts), reference(texts)],
  'in-bank-transfer': (details, texts) =>
    'vpa' in details
      ? [{ field: 'upi_id', value: details.vpa }, holder(texts), amount(texts), reference(texts)]
      : [
          holder(texts),
          accountNumber(details.account),
          { field: 'ifsc', value: details.ifsc },
          namedBank(getBankName('IN', details.ifsc.slice(0, 4)) ?? texts.bank),
          amount(texts),
          reference(texts),
        ],
  'gojek-id': (_, texts) => [merchantName(texts), amount(texts)],
  'id-bank-transfer': toCodedAccountRows('id-bank-transfer'),
  'au-bank-transfer': (details, texts) =>
    'bsb' in details
      ? [
          holder(texts),
          { field: 'bsb', value: `${details.bsb.slice(0, 3)}-${details.bsb.slice(3)}` },
          accountNumber(details.account),
          namedBank(texts.bank),
          amount(texts),
          reference(texts),
        ]
      : [{ field: 'pay_id', value: toPayId(details) }, holder(texts), amount(texts), reference(texts)],
  'nz-bank-transfer': (details, texts) => [
    holder(texts),
    accountNumber(details.account),
    namedBank(texts.bank),
    amount(texts),
    reference(texts),
  ],
  toss: toCodedAccountRows('toss'),
};

function toFpsId(details: DetailsByMethod['fps']): Row {
  if ('fpsId' in details) return { field: 'fps_id', value: details.fpsId };
  if ('mobile' in details) return { field: 'mobile', value: toNationalNumber(details.mobile) };
  return { field: 'email', value: details.email };
}

function toPromptPayId(details: Exclude<DetailsByMethod['prompt-pay'], { billerId: string }>): Row {
  if ('mobile' in details) return { field: 'mobile', value: toNationalNumber(details.mobile) };
  if ('taxId' in details) return { field: 'tax_id', value: details.taxId };
  return { field: 'e_wallet_id', value: details.eWalletId };
}

function toPayId(details: Exclude<DetailsByMethod['au-bank-transfer'], { bsb: string }>): string {
  if ('mobile' in details) return toNationalNumber(details.mobile);
  return 'email' in details ? details.email : details.abn;
}

/** Returns the values that the customer enters for one payment, in the order of the apps. */
export function getInstructionRows(
  method: MethodCode,
  details: ReceivingDetails,
  texts: PaymentTexts,
): InstructionRow[] {
  // The details of a row belong to the scheme of its method, which the compiler cannot know here.
  const build = rowsByMethod[method] as BuildRows<ReceivingDetails>;
  return build(details, texts).filter((row) => row !== undefined);
}
