import { type CurrencyCode, minorPerMajor } from '../kit/currency.ts';
import type { Money } from '../kit/money.ts';

/** The wire words of the thirteen payment methods, in the order of the interface. */
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

/** What is true of a method whoever the merchant is. Limits and window are defaults a merchant may change. */
export type PaymentMethod = {
  readonly code: MethodCode;
  /** As customers call it. */
  readonly name: string;
  readonly country: MethodCountry;
  readonly currency: CurrencyCode;
  /** Of the country's phone numbers, with `+`. */
  readonly callingCode: string;
  /** The smallest step customers can pay in: a minor unit of ISO 4217, or a whole unit. */
  readonly payableUnit: 'minor' | 'whole';
  /** The smallest and largest amount of one payment. */
  readonly min: Money;
  readonly max: Money;
  /** How long a charge waits for its money. */
  readonly windowMinutes: number;
  /** Path on this service of an SVG. */
  readonly icon: string;
};

type MethodDefinition = Pick<PaymentMethod, 'name' | 'currency' | 'callingCode' | 'windowMinutes'> & {
  country: string;
  wholeUnits?: true;
  maxMajor: bigint;
};

/** Money that moves within seconds of a scan needs no longer; a bank transfer may be typed in the evening. */
const instantMinutes = 30;
const transferMinutes = 24 * 60;

const hongKong = { country: 'HK', currency: 'HKD', callingCode: '+852' } as const;
const indonesia = { country: 'ID', currency: 'IDR', callingCode: '+62', wholeUnits: true } as const;

/**
 * `maxMajor` is the scheme's ceiling where one is published (PayNow: ABS 2020; DuitNow and QR Ph: consumer limits;
 * UPI: NPCI; QRIS and BI-FAST: Bank Indonesia; VietQR: below 500 million by NAPAS; FPS and CHATS: the ceiling of banks
 * in Hong Kong) and otherwise what banks allow an ordinary customer. Each customer's bank may set a lower one.
 */
const methodDefinitions = {
  fps: { name: 'FPS', ...hongKong, windowMinutes: instantMinutes, maxMajor: 1_000_000n },
  'hk-bank-transfer': {
    name: 'Hong Kong bank transfer',
    ...hongKong,
    windowMinutes: transferMinutes,
    maxMajor: 10_000_000n,
  },
  paynow: {
    name: 'PayNow',
    country: 'SG',
    currency: 'SGD',
    callingCode: '+65',
    windowMinutes: instantMinutes,
    maxMajor: 200_000n,
  },
  'viettel-pay': {
    name: 'Viettel Money (VietQR)',
    country: 'VN',
    currency: 'VND',
    callingCode: '+84',
    wholeUnits: true,
    windowMinutes: instantMinutes,
    maxMajor: 499_999_999n,
  },
  'duit-now': {
    name: 'DuitNow QR',
    country: 'MY',
    currency: 'MYR',
    callingCode: '+60',
    windowMinutes: instantMinutes,
    maxMajor: 50_000n,
  },
  instapay: {
    name: 'InstaPay (QR Ph)',
    country: 'PH',
    currency: 'PHP',
    callingCode: '+63',
    windowMinutes: instantMinutes,
    maxMajor: 50_000n,
  },
  'prompt-pay': {
    name: 'PromptPay',
    country: 'TH',
    currency: 'THB',
    callingCode: '+66',
    windowMinutes: instantMinutes,
    maxMajor: 50_000n,
  },
  'in-bank-transfer': {
    name: 'UPI',
    country: 'IN',
    currency: 'INR',
    callingCode: '+91',
    windowMinutes: transferMinutes,
    maxMajor: 100_000n,
  },
  'gojek-id': { name: 'QRIS (GoPay)', ...indonesia, windowMinutes: instantMinutes, maxMajor: 10_000_000n },
  'id-bank-transfer': {
    name: 'Indonesian bank transfer',
    ...indonesia,
    windowMinutes: transferMinutes,
    maxMajor: 250_000_000n,
  },
  'au-bank-transfer': {
    name: 'Australian bank transfer (PayID)',
    country: 'AU',
    currency: 'AUD',
    callingCode: '+61',
    windowMinutes: transferMinutes,
    maxMajor: 25_000n,
  },
  'nz-bank-transfer': {
    name: 'New Zealand bank transfer',
    country: 'NZ',
    currency: 'NZD',
    callingCode: '+64',
    windowMinutes: transferMinutes,
    maxMajor: 9_999_999n,
  },
  toss: {
    name: 'Toss',
    country: 'KR',
    currency: 'KRW',
    callingCode: '+82',
    wholeUnits: true,
    windowMinutes: instantMinutes,
    maxMajor: 2_000_000n,
  },
} as const satisfies Record<MethodCode, MethodDefinition>;

/** Where customers pay by one of the methods: ISO 3166-1 alpha-2. */
export type MethodCountry = (typeof methodDefinitions)[MethodCode]['country'];

export const paymentMethods = Object.fromEntries(
  methodCodes.map((code) => [code, toPaymentMethod(code, methodDefinitions[code])]),
) as Record<MethodCode, PaymentMethod>;

function toPaymentMethod(
  code: MethodCode,
  definition: MethodDefinition & { country: MethodCountry },
): PaymentMethod {
  const { wholeUnits, maxMajor, ...details } = definition;
  const minorPerUnit = minorPerMajor(definition.currency);
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
