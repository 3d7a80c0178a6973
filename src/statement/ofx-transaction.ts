import { getMinorDigits, zeroDecimalCurrencies } from '../kit/currency.ts';
import { hourMs } from '../kit/duration.ts';
import type { Money } from '../kit/money.ts';
import { ambiguousAmountError, invalidStatementError } from './invalid-statement.ts';
import { parseStatementAmount } from './statement-amount.ts';
import { isCalendarDate } from './statement-date.ts';
import type { StatementEntry } from './statement-entry.ts';
import { joinTexts, selectOtherTexts, withoutPlaceholder, withoutUndefined } from './statement-text.ts';

/** The account and currency of a statement. */
export type OfxAccount = { accountId?: string; accountCurrency?: string };

/** The values of a `STMTTRN` by their path, such as `MEMO` or `PAYEE/NAME`. */
export type OfxTransaction = { values: Map<string, string>; isPending: boolean; line: number };

/**
 * Converts a transaction of an OFX statement. The sign of the amount gives the direction. A correction of an earlier
 * transaction is information only: the bank reports the corrected state, not a movement.
 */
export function toOfxEntry({ values, isPending, line }: OfxTransaction, account: OfxAccount): StatementEntry {
  const value = (name: string) => withoutPlaceholder(values.get(name));
  const currency = value('CURRENCY/CURSYM') ?? account.accountCurrency;
  if (currency === undefined) throw invalidStatementError(line, 'the statement has no currency (CURDEF)');
  const amountText = values.get('TRNAMT');
  if (amountText === undefined) throw invalidStatementError(line, 'this transaction has no amount (TRNAMT)');
  const { isNegative, amount } = parseOfxAmount(amountText, currency, line);
  const postedAt = values.get('DTPOSTED');
  const name = value('PAYEE/NAME') ?? value('NAME') ?? value('EXTDNAME');
  const payerTexts = ['NAME', 'EXTDNAME', 'MEMO', 'REFNUM', 'CHECKNUM'].map(value);
  const reference = joinTexts(new Set(payerTexts)) ?? '';
  return withoutUndefined<StatementEntry>({
    kind: 'ofx',
    direction: isNegative ? 'debit' : 'credit',
    status: getStatus(values, isPending),
    isReversal: false,
    isReturned: false,
    amount,
    transactionCount: 1,
    ...(postedAt === undefined ? {} : parseOfxDate(postedAt, line)),
    valueOn: values.has('DTAVAIL') ? parseOfxDate(values.get('DTAVAIL')!, line).bookedOn : undefined,
    bankReference: value('FITID'),
    reference,
    otherTexts: selectOtherTexts(
      [...values].filter(([key]) => !/^(TRN|DT)/.test(key)).map(([, value]) => value),
      [reference],
    ),
    counterpartyName: name,
    counterpartyAccount: value('BANKACCTTO/ACCTID') ?? value('CCACCTTO/ACCTID'),
    ...account,
    line,
  });
}

function getStatus(values: Map<string, string>, isPending: boolean): StatementEntry['status'] {
  if (values.has('CORRECTFITID')) return 'information';
  return isPending || values.get('TRNTYPE') === 'HOLD' ? 'pending' : 'booked';
}

/**
 * Parses an amount with a decimal point or comma, without a sign. Digit grouping is accepted only if it is unambiguous:
 * a mark after one to three digits and before three may group them unless the currency has three decimals.
 */
export function parseOfxAmount(
  text: string,
  currency: string,
  line: number,
): { amount: Money; isNegative: boolean } {
  const compact = text.replace(/\s/g, '');
  const plain = /^[+-]?\d{1,3}(?:,\d{3})+\.\d*$/.test(compact)
    ? compact.replaceAll(',', '')
    : compact.replace(',', '.');
  const [, sign, digits] = /^([+-]?)(\d*(?:\.\d*)?)$/.exec(plain) ?? [];
  if (digits === undefined || !/\d/.test(digits))
    throw invalidStatementError(line, `"${text.slice(0, 40)}" is not an amount`);
  const amount = parseStatementAmount(digits, currency, line);
  // A point is the usual decimal mark, so it is doubtful only in a currency that is written without decimals.
  const hasNoDecimals = getMinorDigits(currency) === 0 || zeroDecimalCurrencies.has(currency);
  const [, whole, mark] = /^[+-]?(\d{1,3})([.,])\d{3}$/.exec(compact) ?? [];
  const mayGroup = (mark === ',' && getMinorDigits(currency) !== 3) || (mark === '.' && hasNoDecimals);
  if (mayGroup && whole !== '0') throw ambiguousAmountError(text, line);
  return { amount, isNegative: sign === '-' };
}

/** Placeholder times that banks write when they know only the date. */
const placeholderTimes = ['000000', '120000', '235959'];

/**
 * Parses `YYYYMMDD` with an optional time and offset (`20261120093000.000[+8:HKT]`). The day is never
 * converted to another time zone.
 */
export function parseOfxDate(
  text: string,
  line: number,
): Pick<StatementEntry, 'bookedOn' | 'bookedAt' | 'bookedAtLocal'> {
  const [, year, month, date, time, offset] =
    /^(\d{4})-?(\d\d)-?(\d\d)(?:(\d{4}(?:\d\d)?)(?:\.\d{1,6})?)?(?:\s*\[([+-]?\d{1,2}(?:\.\d{1,2})?)(?::[^\]]*)?\])?$/.exec(
      text,
    ) ?? [];
  const bookedOn = `${year}-${month}-${date}`;
  if (year === undefined || !isCalendarDate(bookedOn))
    throw invalidStatementError(line, `"${text.slice(0, 40)}" is not a date`);
  const fullTime = time?.padEnd(6, '0');
  if (fullTime === undefined || placeholderTimes.includes(fullTime)) return { bookedOn };
  const local = `${bookedOn}T${fullTime.slice(0, 2)}:${fullTime.slice(2, 4)}:${fullTime.slice(4)}`;
  const utc = new Date(`${local}Z`).getTime();
  if (Number.isNaN(utc)) throw invalidStatementError(line, `"${text.slice(0, 40)}" is not a date`);
  if (offset === undefined) return { bookedOn, bookedAtLocal: local };
  return { bookedOn, bookedAt: new Date(utc - Number(offset) * hourMs) };
}
