import { invalidStatement } from './invalid-statement.ts';
import { mt940Date, mt940EntryDate } from './mt940-date.ts';
import { statementAmount } from './statement-amount.ts';
import type { StatementEntry } from './statement-entry.ts';
import { joinTexts, withoutPlaceholder, withoutUndefined } from './statement-text.ts';

/** The parsed statement line (field 61) of one movement. */
export type Mt940Line = Pick<
  StatementEntry,
  | 'direction'
  | 'status'
  | 'reversal'
  | 'returned'
  | 'amount'
  | 'bookedOn'
  | 'valueOn'
  | 'bankReference'
  | 'line'
> & {
  /** The reference for the account owner; for a credit often written by the payer. */
  ownerReference?: string;
  supplement?: string;
};

/** Value date, entry date (or four spaces), mark, third letter of the currency, amount, type, references. */
const pattern =
  /^(\d{6})(\d{4}| {4})?(RC|RD|EC|ED|C|D)([A-Z])?(\d{1,15}(?:,\d{0,15})?)([A-Z][A-Z0-9]{3})(.*)$/;

/** Keywords that only point to another field with the reference. */
const pointer = /^(EREF|KREF|MREF|MARF|PREF|CREF|CHK)\+?$/;

/**
 * Parses field 61 (SWIFT: `6!n[4!n]2a[1!a]15d1!a3!c16x[//16x][CRLF 34x]`). `C` and `D` are credit and debit;
 * `RC` and `RD` reverse one, so money moves the other way; `EC` and `ED` are expected. Without an entry date,
 * the booking date is the value date.
 */
export function mt940Line(
  lines: string[],
  { currency, line }: { currency: string; line: number },
): Mt940Line {
  const [first = '', ...supplementLines] = lines;
  const match = pattern.exec(first);
  if (!match) throw invalidStatement(line, `":61:${first.slice(0, 60)}" is not a statement line`);
  const [, valueDate = '', entryDate = '', mark = '', , amount = '', type = '', references = ''] = match;
  const valueOn = mt940Date(valueDate, line);
  const [ownerReference = '', bankReference = ''] = references.split(/\/\/(.*)/s);
  return withoutUndefined<Mt940Line>({
    direction: mark === 'RD' || mark === 'C' || mark === 'EC' ? 'credit' : 'debit',
    status: mark.startsWith('E') ? 'pending' : 'booked',
    reversal: mark.startsWith('R'),
    returned: type.endsWith('RTI'),
    amount: statementAmount(amount.replace(',', '.'), currency, line),
    bookedOn: entryDate.trim() === '' ? valueOn : mt940EntryDate(entryDate, valueOn, line),
    valueOn,
    bankReference: withoutPlaceholder(bankReference.trim()),
    ownerReference: cleanReference(ownerReference.trim()),
    supplement: joinTexts(supplementLines.map((text) => text.trim())),
    line,
  });
}

/** Drops truncated placeholders (`N` of `NONREF`) and pointers. */
function cleanReference(text: string): string | undefined {
  return text.length < 3 || pointer.test(text) ? undefined : withoutPlaceholder(text);
}
