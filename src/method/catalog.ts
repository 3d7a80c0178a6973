import { type CurrencyCode, getMinorPerMajor } from '../kit/currency.ts';
import type { Money } from '../kit/money.ts';

/** The API codes of the thirteen payment methods, in the order of the API's enum. */
export const methodCodes = [
  'fps',
  'hk-bank-transfer',
  'paynow',
  'viettel-pay',
  'duit-now',
  'instapay',
  'prompt-pay',
  'in-bank-transfer',
  'gojek-id',
  'id-bank-transfer',
  'au-bank-transfer',
  'nz-bank-transfer',
  'toss',
] as const;

export type MethodCode = (typeof methodCodes)[number];

/**
 * The properties of a method that are the same for all merchants. Limits and window are defaults that a
 * merchant may change.
 */
export type PaymentMethod = {
  readonly code: MethodCode;
  /** The name that customers know. */
  readonly name: string;
  readonly country: MethodCountry;
  readonly currency: CurrencyCode;
  /** Calling code of the country, with `+`. */
  readonly callingCode: string;
  /** The smallest step that customers can pay in: an ISO 4217 minor unit, or a whole unit. */
  readonly payableUnit: 'minor' | 'whole';
  /** The limits of one payment. */
  readonly min: Money;
  readonly max: Money;
  /** The time that customers have to pay a charge. */
  readonly paymentWindowMinutes: number;
  /** The path of an SVG on this service. */
  readonly icon: string;
};

type MethodDefinition = Pick<PaymentMethod, 'name' | 'currency' | 'callingCode' | 'paymentWindowMinutes'> & {
  country: string;
  wholeUnits?: true;
  maxMajor: bigint;
};

/** Instant payments arrive within seconds of a scan. Customers may enter a bank transfer hours later. */
const instantMinutes = 30;
const transferMinutes = 24 * 60;

const hongKong = { country: 'HK', currency: 'HKD', callingCode: '+852' } as const;
const indonesia = { country: 'ID', currency: 'IDR', callingCode: '+62', wholeUnits: true } as const;

/**
 * `maxMajor` is the published limit of the scheme where there is one (PayNow: ABS 2020; DuitNow and QR Ph:
 * consumer limits; UPI: NPCI; QRIS and BI-FAST: Bank Indonesia; VietQR: below 500 million by NAPAS; FPS and
 * CHATS: the limit of banks in Hong Kong). Otherwise it is the usual limit of banks for a consumer. Each
 * customer's bank may set a lower limit.
 */
const methodDefinitions = {
  fps: { name: 'FPS', ...hongKong, paymentWindowMinutes: instantMinutes, maxMajor: 1_000_000n },
  'hk-bank-transfer': {
    name: 'Hong Kong bank transfer',
    ...hongKong,
    paymentWindowMinutes: transferMinutes,
    maxMajor: 10_000_000n,
  },
  paynow: {
    name: 'PayNow',
    country: 'SG',
    currency: 'SGD',
    callingCode: '+65',
    paymentWindowMinutes: instantMinutes,
    maxMajor: 200_000n,
  },
  'viettel-pay': {
    name: 'Viettel Money (VietQR)',
    country: 'VN',
    currency: 'VND',
    callingCode: '+84',
    wholeUnits: true,
    paymentWindowMinutes: instantMinutes,
    maxMajor: 499_999_999n,
  },
  'duit-now': {
    name: 'DuitNow QR',
    country: 'MY',
    currency: 'MYR',
    callingCode: '+60',
    paymentWindowMinutes: instantMinutes,
    maxMajor: 50_000n,
  },
  instapay: {
    name: 'InstaPay (QR Ph)',
    country: 'PH',
    currency: 'PHP',
    callingCode: '+63',
    paymentWindowMinutes: instantMinutes,
    maxMajor: 50_000n,
  },
  'prompt-pay': {
    name: 'PromptPay',
    country: 'TH',
    currency: 'THB',
    callingCode: '+66',
    paymentWindowMinutes: instantMinutes,
    maxMajor: 50_000n,
  },
  'in-bank-transfer': {
    name: 'UPI',
    country: 'IN',
    currency: 'INR',
    callingCode: '+91',
    paymentWindowMinutes: transferMinutes,
    maxMajor: 100_000n,
  },
  'gojek-id': {
    name: 'QRIS (GoPay)',
    ...indonesia,
    paymentWindowMinutes: instantMinutes,
    maxMajor: 10_000_000n,
  },
  'id-bank-transfer': {
    name: 'Indonesian bank transfer',
    ...indonesia,
    paymentWindowMinutes: transferMinutes,
    maxMajor: 250_000_000n,
  },
  'au-bank-transfer': {
    name: 'Australian bank transfer (PayID)',
    country: 'AU',
    currency: 'AUD',
    callingCode: '+61',
    paymentWindowMinutes: transferMinutes,
    maxMajor: 25_000n,
  },
  'nz-bank-transfer': {
    name: 'New Zealand bank transfer',
    country: 'NZ',
    currency: 'NZD',
    callingCode: '+64',
    paymentWindowMinutes: transferMinutes,
    maxMajor: 9_999_999n,
  },
  toss: {
    name: 'Toss',
    country: 'KR',
    currency: 'KRW',
    callingCode: '+82',
    wholeUnits: true,
    paymentWindowMinutes: instantMinutes,
    maxMajor: 2_000_000n,
  },
} as const satisfies Record<MethodCode, MethodDefinition>;

/** ISO 3166-1 alpha-2 codes of the countries in which customers pay by these methods. */
export type MethodCountry = (typeof methodDefinitions)[MethodCode]['country'];

export const paymentMethods = Object.fromEntries(
  methodCodes.map((code) => [code, toPaymentMethod(code, methodDefinitions[code])]),
) as Record<MethodCode, PaymentMethod>;

function toPaymentMethod(
  code: MethodCode,
  definition: MethodDefinition & { country: MethodCountry },
): PaymentMethod {
  const { wholeUnits, maxMajor, ...details } = definition;
  const minorPerUnit = getMinorPerMajor(definition.currency);
  return {
    code,
    ...details,
    payableUnit: wholeUnits ? 'whole' : 'minor',
    min: { minor: wholeUnits ? minorPerUnit : 1n, currency: definition.currency },
    max: { minor: maxMajor * minorPerUnit, currency: definition.currency },
    icon: `/icons/methods/${code}.svg`,
  };
}

const methodCodeSet = new Set<string>(methodCodes);

export function isMethodCode(text: string): text is MethodCode {
  return methodCodeSet.has(text);
}
