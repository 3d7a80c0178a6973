import { invalidStatementError } from './invalid-statement.ts';
import { mt940Amount, toDecimalPoint } from './mt940-amount.ts';
import { parseMt940Date, parseMt940EntryDate } from './mt940-date.ts';
import { parseStatementAmount } from './statement-amount.ts';
import type { StatementEntry } from './statement-entry.ts';
import { joinTexts, withoutPlaceholder, withoutUndefined } from './statement-text.ts';

/** The parsed statement line (field 61) of one movement. */
export type Mt940Line = Pick<
  StatementEntry,
  | 'direction'
  | 'status'
  | 'isReversal'
  | 'isReturned'
  | 'amount'
  | 'bookedOn'
  | 'valueOn'
  | 'bankReference'
  | 'line'
> & {
  /** The reference for the account owner. For a credit, the payer has often written it. */
  ownerReference?: string;
  supplement?: string;
};

/**
 * Matches value date, entry date (or four spaces), mark, third letter of the currency, amount, type, references. Banks
 * pad the type with blanks, write a blank before it, or omit it before `//` and `NONREF`.
 */
const field61Pattern = new RegExp(
  `^(\\d{6})(\\d{4}| {4})?(RC|RD|EC|ED|C|D)([A-Z])?(${mt940Amount}) ?((?=//|NONREF)|[A-Z](?:[A-Z0-9]{3}|[A-Z0-9]{2} |[A-Z0-9] {2}| {3}))(.*)$`,
);

/** Matches a keyword that only refers to another field, which contains the reference. */
const pointerPattern = /^(EREF|KREF|MREF|MARF|PREF|CREF|CHK)\+?$/;

/**
 * Parses field 61 (SWIFT: `6!n[4!n]2a[1!a]15d1!a3!c16x[//16x][CRLF 34x]`). `C` and `D` are credit and debit; `RC` and
 * `RD` reverse a credit or debit, so the money moves the other way; `EC` and `ED` are expected. Without an entry date,
 * the booking date is the value date.
 */
export function parseMt940Line(
  lines: string[],
  { currency, line }: { currency: string; line: number },
): Mt940Line {
  const [firstLine = '', ...supplementLines] = lines;
  const match = field61Pattern.exec(firstLine);
  if (!match) throw invalidStatementError(line, `":61:${firstLine.slice(0, 60)}" is not a statement line`);
  const [, valueDate = '', entryDate = '', mark = '', , amount = '', type = '', references = ''] = match;
  const valueOn = parseMt940Date(valueDate, line);
  const [ownerReference = '', bankReference = ''] = references.split(/\/\/(.*)/s);
  return withoutUndefined<Mt940Line>({
    direction: mark === 'RD' || mark === 'C' || mark === 'EC' ? 'credit' : 'debit',
    status: mark.startsWith('E') ? 'pending' : 'booked',
    isReversal: mark.startsWith('R'),
    isReturned: type.trimEnd().endsWith('RTI'),
    amount: parseStatementAmount(toDecimalPoint(amount), currency, line),
    bookedOn: entryDate.trim() === '' ? valueOn : parseMt940EntryDate(entryDate, valueOn, line),
    valueOn,
    bankReference: withoutPlaceholder(bankReference.trim()),
    ownerReference: cleanReference(ownerReference.trim()),
    supplement: joinTexts(supplementLines.map((text) => text.trim())),
    line,
  });
}

/** Returns undefined for a truncated placeholder (`N` of `NONREF`) or a keyword that refers to another field. */
function cleanReference(text: string): string | undefined {
  return text.length < 3 || pointerPattern.test(text) ? undefined : withoutPlaceholder(text);
}
