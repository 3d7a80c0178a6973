import { zeroDecimalCurrencies } from '../../kit/currency.ts';
import { formatCurrency } from '../../language/format-currency.ts';
import { locale } from '../language/texts.ts';

/** Formats a decimal string such as `1128.50` as `HK$1,128.50`, in the reader's locale. */
export function formatAmount(decimal: string, currency: string): string {
  return formatCurrency(locale, currency, toFieldAmount(decimal, currency));
}

/** Formats an exchange rate with up to ten significant digits. */
export function formatRate(decimal: string, maximumSignificantDigits = 10): string {
  return new Intl.NumberFormat(locale, { maximumSignificantDigits }).format(
    decimal as Intl.StringNumericLiteral,
  );
}

/** Formats an amount for an input field: `1128.50`, without fractions in zero-decimal currencies. */
export function toFieldAmount(decimal: string, currency: string): string {
  return zeroDecimalCurrencies.has(currency) ? decimal.replace(/\.0+$/, '') : decimal;
}

export function isZero(decimal: string): boolean {
  return !/[1-9]/.test(decimal);
}

export function isNegative(decimal: string): boolean {
  return decimal.startsWith('-') && !isZero(decimal);
}

/** Returns the exact sum of decimals in one currency. */
export function sumDecimals(decimals: readonly string[]): string {
  const digits = Math.max(0, ...decimals.map((decimal) => decimal.split('.')[1]?.length ?? 0));
  const toMinorUnits = (decimal: string) => {
    const [whole = '', fraction = ''] = decimal.split('.');
    return BigInt(whole + fraction.padEnd(digits, '0'));
  };
  const sum = decimals.reduce((total, decimal) => total + toMinorUnits(decimal), 0n);
  const text = String(sum < 0n ? -sum : sum).padStart(digits + 1, '0');
  const sign = sum < 0n ? '-' : '';
  return digits === 0 ? sign + text : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}
