import { isCurrencyCode, isWithdrawnCurrency } from '../kit/currency.ts';
import { decimalToMinor, type Money } from '../kit/money.ts';
import { invalidStatement } from './invalid-statement.ts';

/**
 * Parses an amount exactly. `text` is a decimal with a point and no sign (`8.850`, `.5`, `007.`). Zeros
 * beyond the currency's digits are ignored; any other digit there throws, since money is never rounded.
 */
export function statementAmount(text: string, currency: string, line: number): Money {
  const minor = statementMinor(text, currency, line);
  if (minor === undefined) {
    throw invalidStatement(line, `the amount ${text.slice(0, 40)} has more digits than ${currency} has`);
  }
  return { minor, currency };
}

/** Parses an amount in minor units. Returns undefined if it has more digits than the currency. */
export function statementMinor(text: string, currency: string, line: number): bigint | undefined {
  if (!isCurrencyCode(currency) && !isWithdrawnCurrency(currency)) {
    throw invalidStatement(line, `"${currency.slice(0, 20)}" is not an ISO 4217 currency`);
  }
  const match = text.length > 40 ? null : /^(?=\.?\d)0*(\d{0,15})(?:\.(\d*?)0*)?$/.exec(text);
  if (!match) throw invalidStatement(line, `"${text.slice(0, 40)}" is not an amount`);
  const whole = match[1] || '0';
  const fraction = match[2] ?? '';
  return decimalToMinor(fraction === '' ? whole : `${whole}.${fraction}`, currency);
}
