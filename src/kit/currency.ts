/**
 * The currencies of ISO 4217, by number of minor digits. The tables are fixed, because for some currencies Intl returns
 * the digits of cash amounts (for IDR 0, but ISO 4217 has 2).
 */
const codesWithTwoDigits =
  'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VES WST XCD XCG YER ZAR ZMW ZWG';
const codesWithZeroDigits = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF';
const codesWithThreeDigits = 'BHD IQD JOD KWD LYD OMR TND';

const minorDigitsByCode = new Map<string, number>([
  ...codesWithTwoDigits.split(' ').map((code) => [code, 2] as const),
  ...codesWithZeroDigits.split(' ').map((code) => [code, 0] as const),
  ...codesWithThreeDigits.split(' ').map((code) => [code, 3] as const),
]);

/**
 * Currencies withdrawn from ISO 4217, in which old bank statements may contain amounts. They are not accepted for
 * payments.
 */
const withdrawnDigitsByCode = new Map<string, number>([
  ...'ANG ATS CUC CYP DEM EEK FIM FRF HRK IEP LTL LVL MTL NLG SIT SKK SLL ZWL'
    .split(' ')
    .map((code) => [code, 2] as const),
  ...'BEF BYR ESP GRD ITL LUF PTE'.split(' ').map((code) => [code, 0] as const),
]);

/**
 * Currencies that are written without fractions, although some have minor units in ISO 4217. The dashboard
 * does not load the method catalog, so a test checks that the list agrees with the catalog.
 */
export const zeroDecimalCurrencies: ReadonlySet<string> = new Set(['IDR', 'KRW', 'VND']);

/** An ISO 4217 alphabetic code from the tables above. */
export type CurrencyCode = string;

/** Returns the currencies that are accepted for payments. */
export function listCurrencyCodes(): CurrencyCode[] {
  return [...minorDigitsByCode.keys()];
}

/** Returns whether the text is the code of a currency that is accepted for payments. */
export function isCurrencyCode(text: string): boolean {
  return minorDigitsByCode.has(text);
}

export function isWithdrawnCurrency(text: string): boolean {
  return withdrawnDigitsByCode.has(text);
}

/**
 * Returns the ISO 4217 minor digits of a current or withdrawn currency. Callers must check the code first, because an
 * unknown one throws an internal error.
 */
export function getMinorDigits(currency: CurrencyCode): number {
  const digits = minorDigitsByCode.get(currency) ?? withdrawnDigitsByCode.get(currency);
  if (digits === undefined) throw new Error(`unknown currency ${currency}`);
  return digits;
}

/** Returns the number of minor units in one major unit: 100 for USD, 1 for KRW. */
export function getMinorPerMajor(currency: CurrencyCode): bigint {
  return 10n ** BigInt(getMinorDigits(currency));
}
