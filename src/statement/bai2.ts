import { getMinorDigits, isCurrencyCode } from '../kit/currency.ts';
import { type Bai2Record, countFundsFields, readBai2Records, splitBai2Movement } from './bai2-records.ts';
import { createTrailerCheck } from './bai2-trailers.ts';
import {
  addToTotals,
  type ControlTotals,
  createTotals,
  type StatementListeners,
  type StatementSummary,
  type StatementTotals,
  withoutEmptyTotals,
} from './control-totals.ts';
import { invalidStatementError } from './invalid-statement.ts';
import { parseStatementAmount } from './statement-amount.ts';
import { isCalendarDate } from './statement-date.ts';
import type { StatementEntry } from './statement-entry.ts';
import { joinTexts, selectOtherTexts, withoutPlaceholder, withoutUndefined } from './statement-text.ts';

type Bai2Group = { on: string; currency: string; status: StatementEntry['status'] };

type Bai2Account = {
  line: number;
  accountId?: string;
  accountCurrency: string;
  summaryTotals: ControlTotals;
  totals: StatementTotals;
  /** The number of records of the account so far. */
  recordCount: number;
  /** The sum of the amounts in the account record (03). */
  summarySum: bigint;
  /** The sum of the negative movements, without their sign. */
  reversedSum: bigint;
};

/**
 * Reads a BAI2 cash management file. Keeps only one record in memory. Throws `invalid_statement` with line and
 * reason, possibly after some entries, so the caller must import all or nothing.
 */
export async function* readBai2(
  source: AsyncIterable<Uint8Array>,
  { onKind, onStatement }: StatementListeners = {},
): AsyncGenerator<StatementEntry> {
  onKind?.('bai2');
  let group: Bai2Group | undefined;
  let account: Bai2Account | undefined;
  let lastRecord: Bai2Record | undefined;
  const checkTrailer = createTrailerCheck();
  for await (const record of readBai2Records(source)) {
    lastRecord = record;
    const { code, line } = record;
    const trailerTotals = checkTrailer(record);
    if (trailerTotals.length > 0)
      onStatement?.({ kind: 'bai2', line, trailerTotals, totals: createTotals() });
    if (account) {
      account.recordCount += record.recordCount;
      if (!/^(16|49)$/.test(code))
        throw invalidStatementError(line, 'the account before this record has no trailer (49)');
    }
    if (code === '02') group = readGroup(record);
    else if (code === '03') account = readAccount(record, requirePart(group, line, 'an account (03)'));
    else if (code === '16') {
      const entry = toEntry(record, {
        group: requirePart(group, line, 'a movement (16)'),
        account: requirePart(account, line, 'a movement (16)'),
      });
      addToTotals(account!.totals, entry);
      if (entry.isReversal) account!.reversedSum += entry.amount.minor;
      yield entry;
    } else if (code === '49') {
      onStatement?.(toSummary(requirePart(account, line, 'an account trailer (49)'), record));
      account = undefined;
    }
  }
  if (lastRecord?.code !== '99')
    throw invalidStatementError(lastRecord?.line ?? 1, 'the file has no trailer (99): it is truncated');
}

function requirePart<T>(part: T | undefined, line: number, name: string): T {
  if (part === undefined) throw invalidStatementError(line, `${name} is in the wrong place`);
  return part;
}

/**
 * Returns the account with its control totals. The sum and the number of records in the trailer include the account
 * record (03), so its share is subtracted to compare them with the movements.
 */
function toSummary(account: Bai2Account, { text }: Bai2Record): StatementSummary {
  const { summaryTotals, recordCount, summarySum, reversedSum, ...rest } = account;
  const { totals, accountCurrency } = rest;
  const [total = '', count = ''] = text.split(',').map((field) => field.trim());
  const controlSum = parseBai2Amount(total, accountCurrency);
  const controlTotals = withoutEmptyTotals({
    ...summaryTotals,
    ...(controlSum !== undefined && {
      // The bank subtracts negative movements, and we add all of them.
      entrySum: controlSum - summarySum + 2n * reversedSum,
      currency: accountCurrency,
    }),
    ...(/^\d+$/.test(count) && { entryCount: totals.entryCount + Number(count) - recordCount }),
  });
  return { kind: 'bai2', ...rest, ...(controlTotals && { controlTotals }) };
}

/** Reads a group header: receiver, originator, status, date, time, currency (USD by default), and date modifier. */
function readGroup({ text, line }: Bai2Record): Bai2Group {
  const [, , groupStatus = '', date = '', , currency = '', modifier = ''] = text
    .split(',')
    .map((field) => field.trim());
  if (groupStatus === '2')
    throw invalidStatementError(line, 'this group deletes an earlier report, which is not supported');
  const isInterim = modifier === '1' || modifier === '3';
  const status = groupStatus === '4' ? 'information' : isInterim ? 'provisional' : 'booked';
  return { on: parseBai2Date(date, line), currency: currency || 'USD', status };
}

/** The codes of the summary that are control totals. */
const openingCode = '010';
const closingCode = '015';
const creditsCode = '100';
const debitsCode = '400';

/** Reads an account: number, currency, and a list of codes, each with amount, item count and funds type. */
function readAccount({ text, line, recordCount }: Bai2Record, group: Bai2Group): Bai2Account {
  let summarySum = 0n;
  const [accountId = '', currency = '', ...fields] = text.split(',').map((field) => field.trim());
  const accountCurrency = currency || group.currency;
  if (!isCurrencyCode(accountCurrency))
    throw invalidStatementError(line, `"${accountCurrency.slice(0, 20)}" is not an ISO 4217 currency`);
  const summaryTotals: ControlTotals = {};
  while (fields.length > 0) {
    const [code = '', amount = '', count = '', fundsType = ''] = fields.splice(0, 4);
    fields.splice(0, countFundsFields(fundsType, fields));
    const minor = parseBai2Amount(amount, accountCurrency);
    if (minor === undefined) continue;
    summarySum += minor;
    const entryCount = /^\d+$/.test(count) ? { count: Number(count) } : {};
    const balance = {
      minor,
      currency: accountCurrency,
      on: group.on,
      isIntermediate: group.status !== 'booked',
    };
    if (code === openingCode) summaryTotals.openingBalance = balance;
    else if (code === closingCode) summaryTotals.closingBalance = balance;
    else if (code === creditsCode)
      Object.assign(
        summaryTotals,
        { creditSum: minor, currency: accountCurrency },
        'count' in entryCount && { creditCount: entryCount.count },
      );
    else if (code === debitsCode)
      Object.assign(
        summaryTotals,
        { debitSum: minor, currency: accountCurrency },
        'count' in entryCount && { debitCount: entryCount.count },
      );
  }
  return withoutUndefined<Bai2Account>({
    line,
    accountId: withoutPlaceholder(accountId),
    accountCurrency,
    summaryTotals,
    totals: createTotals(),
    recordCount,
    summarySum,
    reversedSum: 0n,
  });
}

/** Returns an amount in minor units: the decimals of the currency are implied. */
function parseBai2Amount(text: string, currency: string): bigint | undefined {
  const [, sign, digits] = /^([+-]?)(\d{1,18})$/.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const minor = parseStatementAmount(toDecimal(digits, currency), currency, 1).minor;
  return sign === '-' ? -minor : minor;
}

function toDecimal(digits: string, currency: string): string {
  const decimals = getMinorDigits(currency);
  const padded = digits.padStart(decimals + 1, '0');
  return decimals === 0 ? padded : `${padded.slice(0, -decimals)}.${padded.slice(-decimals)}`;
}

function toEntry(
  { text: record, line }: Bai2Record,
  { group, account }: { group: Bai2Group; account: Bai2Account },
): StatementEntry {
  const movement = splitBai2Movement(record);
  const { accountId, accountCurrency: currency } = account;
  const signed = parseBai2Amount(movement.amount || '0', currency);
  if (signed === undefined)
    throw invalidStatementError(line, `"${movement.amount.slice(0, 40)}" is not an amount`);
  const isReversal = signed < 0n;
  const isCredit = isCreditCode(movement.typeCode, signed, line) !== isReversal;
  const reference =
    joinTexts([movement.text, withoutPlaceholder(movement.customerReference)].map(collapse)) ?? '';
  return withoutUndefined<StatementEntry>({
    kind: 'bai2',
    direction: isCredit ? 'credit' : 'debit',
    status: movement.typeCode === '890' ? 'information' : group.status,
    isReversal,
    isReturned: false,
    amount: { minor: isReversal ? -signed : signed, currency },
    transactionCount: 1,
    bookedOn: group.on,
    valueOn: movement.valueDate ? parseBai2Date(movement.valueDate, line) : undefined,
    bankReference: withoutPlaceholder(movement.bankReference),
    reference,
    otherTexts: selectOtherTexts([withoutPlaceholder(movement.bankReference)], [reference]),
    accountId,
    accountCurrency: currency,
    line,
  });
}

function collapse(text: string | undefined): string | undefined {
  return text?.replace(/\s+/g, ' ').trim();
}

/**
 * Returns whether a type code is a credit: 100 to 399; 400 to 699 are debits. Throws for any other code with an amount,
 * such as those that a bank has defined, because incoming money must never be read as outgoing.
 */
function isCreditCode(code: string, minor: bigint, line: number): boolean {
  if (/^[123]\d\d$/.test(code)) return true;
  if (/^[456]\d\d$/.test(code) || minor === 0n) return false;
  throw invalidStatementError(line, `the type code "${code.slice(0, 20)}" is neither a credit nor a debit`);
}

function parseBai2Date(text: string, line: number): string {
  const digits = text.length === 6 ? `20${text}` : text;
  const day = `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`;
  if (isCalendarDate(day)) return day;
  throw invalidStatementError(line, `"${text.slice(0, 40)}" is not a date (YYMMDD)`);
}
