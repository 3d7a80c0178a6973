/**
 * ISO 4217 minor digits. A fixed table, because Intl reports cash digits for some currencies (IDR: 0 where ISO says 2).
 * Codes not listed under 0 or 3 have 2.
 */
const twoDigits =
  'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VES WST XCD XCG YER ZAR ZMW ZWG';
const zeroDigits = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF';
const threeDigits = 'BHD IQD JOD KWD LYD OMR TND';

const minorDigitsByCode = new Map<string, number>([
  ...twoDigits.split(' ').map((code) => [code, 2] as const),
  ...zeroDigits.split(' ').map((code) => [code, 0] as const),
  ...threeDigits.split(' ').map((code) => [code, 3] as const),
]);

/**
 * Withdrawn from ISO 4217, but old bank statements still name them. Nobody can pay in them any more, yet an amount that
 * was read must print.
 */
const withdrawnDigitsByCode = new Map<string, number>([
  ...'ANG ATS CUC CYP DEM EEK FIM FRF HRK IEP LTL LVL MTL NLG SIT SKK SLL ZWL'
    .split(' ')
    .map((code) => [code, 2] as const),
  ...'BEF BYR ESP GRD ITL LUF PTE'.split(' ').map((code) => [code, 0] as const),
]);

/** An ISO 4217 alphabetic code of the tables above. */
export type CurrencyCode = string;

/** Whether one can pay in the currency today. */
export function isCurrencyCode(text: string): boolean {
  return minorDigitsByCode.has(text);
}

export function isWithdrawnCurrency(text: string): boolean {
  return withdrawnDigitsByCode.has(text);
}

/** Minor digits of a currency by ISO 4217; an unknown code is a bug of the caller. */
export function minorDigits(currency: CurrencyCode): number {
  const digits = minorDigitsByCode.get(currency) ?? withdrawnDigitsByCode.get(currency);
  if (digits === undefined) throw new Error(`unknown currency ${currency}`);
  return digits;
}

/** Minor units in one major unit: 100 cents, 1 won. */
export function minorPerMajor(currency: CurrencyCode): bigint {
  return 10n ** BigInt(minorDigits(currency));
}
