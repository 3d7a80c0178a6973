import type { ControlTotals, StatementBalance } from './control-totals.ts';
import { tryParseCsvAmount } from './csv-amount.ts';
import { isCurrencyCell, toCurrencyCode } from './csv-currency.ts';
import { type CsvDateRules, parseCsvDay } from './csv-date.ts';
import { isDateCell } from './csv-guess-values.ts';
import type { CsvMapping } from './csv-mapping.ts';
import type { CsvRecord } from './csv-records.ts';
import { withoutUnreadable } from './invalid-statement.ts';
import { parseStatementMinor } from './statement-amount.ts';
import type { StatementEntry } from './statement-entry.ts';
import { withoutPlaceholder, withoutUndefined } from './statement-text.ts';
import { findLabels, type LabelledText } from './table-labels.ts';

/** Collects the data of the account in the rows around a table, such as `Account Number:,514012345678`. */
export type TableMetadata = {
  /** Reads a row that is not a movement. */
  addRow(record: CsvRecord): void;
  /** Must be called for each movement, because a balance between movements is the balance of a page and ignored. */
  addEntry(entry: Pick<StatementEntry, 'status' | 'bookedOn'>): void;
  /** The account, and the line that names it. Undefined if the rows name no account or several. */
  getAccount(): { accountId: string; line: number } | undefined;
  /** The currency of a table without a column of currencies. Undefined if the rows name none or several. */
  getCurrency(): string | undefined;
  /** The balances and sums in a currency. */
  getControlTotals(currency: string): ControlTotals | undefined;
};

type LabelledAmountKind = 'openingBalance' | 'closingBalance' | 'creditSum' | 'debitSum';
type LabelledAmount = { kind: LabelledAmountKind; text: string; isNegative: boolean; entriesBefore: number };

/** Further labels are ignored, because they are probably in rows of the table. */
const factsMax = 100;

/** Creates a reader of the rows outside a table. Anything that it cannot read with certainty is not used. */
export function createTableMetadata(
  mapping: CsvMapping,
  { today }: { today?: string | undefined } = {},
): TableMetadata {
  const facts: TableFacts = { accounts: [], currencies: new Set() };
  const amounts: LabelledAmount[] = [];
  const booked: { first?: string; last?: string } = {};
  let entryCount = 0;
  let isAllBooked = true;
  return {
    addRow({ cells, line }) {
      for (const label of findLabels(cells)) {
        if (isAmountKind(label.kind)) {
          const amount = readLabelledAmount(label, mapping);
          if (amount && amounts.length < factsMax)
            amounts.push({ kind: label.kind, ...amount, entriesBefore: entryCount });
        } else if (entryCount === 0) addFact(facts, label, { ...mapping, line, today });
      }
    },
    addEntry({ status, bookedOn }) {
      entryCount += 1;
      isAllBooked &&= status === 'booked';
      if (bookedOn === undefined) return;
      if (booked.first === undefined || bookedOn < booked.first) booked.first = bookedOn;
      if (booked.last === undefined || bookedOn > booked.last) booked.last = bookedOn;
    },
    getAccount: () =>
      facts.accounts.every(({ accountId }) => accountId === facts.accounts[0]?.accountId)
        ? facts.accounts[0]
        : undefined,
    getCurrency: () =>
      mapping.currencyColumn === undefined && facts.currencies.size === 1
        ? [...facts.currencies][0]
        : undefined,
    getControlTotals(currency) {
      // Balances may include pending movements, and those of a card have the opposite sign.
      if (!isAllBooked || mapping.isCreditNegative) return undefined;
      const get = (kind: LabelledAmountKind) => selectLabelledAmount(amounts, { kind, entryCount, currency });
      const found = withoutUndefined<ControlTotals>({
        openingBalance: toBalance(get('openingBalance'), currency, facts.from ?? booked.first),
        closingBalance: toBalance(get('closingBalance'), currency, facts.to ?? booked.last),
        creditSum: get('creditSum'),
        debitSum: get('debitSum'),
      });
      return Object.keys(found).length === 0 ? undefined : { ...found, currency };
    },
  };
}

function toBalance(
  minor: bigint | undefined,
  currency: string,
  on: string | undefined,
): StatementBalance | undefined {
  if (minor === undefined) return undefined;
  return { minor, currency, ...(on !== undefined && { on }), isIntermediate: false };
}

/** The values of labels above a table. `from` and `to` are the days of the statement, `YYYY-MM-DD`. */
type TableFacts = {
  accounts: { accountId: string; line: number }[];
  currencies: Set<string>;
  from?: string;
  to?: string;
};

function addFact(facts: TableFacts, { kind, rest, nextCells }: LabelledText, rules: CsvDateRules): void {
  const values = [rest, ...nextCells.slice(0, 1)];
  if (kind === 'account' || kind === 'ambiguousAccount') {
    const accountId = findAccountNumber(values, { allowsLeadingText: kind === 'account' });
    if (accountId !== undefined && facts.accounts.length < factsMax)
      facts.accounts.push({ accountId, line: rules.line });
  } else if (kind === 'currency') {
    const currency = values.find((value) => isCurrencyCell(value));
    if (currency !== undefined) facts.currencies.add(toCurrencyCode(currency));
  } else {
    const days = findDays([rest, ...nextCells].join(' '), rules);
    const [from, to] = kind === 'periodEnd' ? [undefined, days[0]] : days;
    if (from !== undefined) facts.from ??= from;
    if (to !== undefined) facts.to ??= to;
  }
}

function isAmountKind(kind: LabelledText['kind']): kind is LabelledAmountKind {
  return ['openingBalance', 'closingBalance', 'creditSum', 'debitSum'].includes(kind);
}

/** Returns the amount of a label above or below all movements, unless the rows contradict each other. */
function selectLabelledAmount(
  amounts: readonly LabelledAmount[],
  { kind, entryCount, currency }: { kind: LabelledAmountKind; entryCount: number; currency: string },
): bigint | undefined {
  const found = amounts.filter((amount) => amount.kind === kind);
  const isOutside = found.every(({ entriesBefore }) => entriesBefore === 0 || entriesBefore === entryCount);
  const values = new Set(found.map((amount) => toMinor(amount, currency)));
  return isOutside && values.size === 1 ? [...values][0] : undefined;
}

function toMinor({ text, isNegative }: LabelledAmount, currency: string): bigint | undefined {
  const minor = withoutUnreadable(() => parseStatementMinor(text, currency, 1));
  return minor !== undefined && isNegative ? -minor : minor;
}

/** Reads the amount in the rest of the cell or in the first cell with one. The next cell may have `CR` or `DR`. */
function readLabelledAmount(
  { rest, nextCells }: LabelledText,
  { decimalMark }: Pick<CsvMapping, 'decimalMark'>,
): Pick<LabelledAmount, 'text' | 'isNegative'> | undefined {
  const values = [rest, ...nextCells];
  const amounts = values.map((value) => tryParseCsvAmount(value, decimalMark) ?? undefined);
  const index = amounts.findIndex((amount, at) => amount !== undefined && !isDateCell(values[at]!));
  const amount = amounts[index];
  if (!amount) return undefined;
  return { text: amount.text, isNegative: amount.isNegative || /^d[rb]$/i.test(values[index + 1] ?? '') };
}

/** Digits, which may be masked or grouped, or an IBAN. A number with a decimal point or a slash is something else. */
const accountPattern =
  /(?<![\p{L}\p{N}.,/])(?:[A-Z]{2}\d{2}[A-Z0-9]{8,30}|[\dX*•●#](?:[ -]{0,3}[\dX*•●#]){4,40})(?![\p{L}\p{N}/]|[.,]\d)/iu;
const visibleDigitsMin = 3;
const textLengthMax = 200;

function findAccountNumber(
  values: readonly string[],
  { allowsLeadingText }: { allowsLeadingText: boolean },
): string | undefined {
  const value =
    values
      .find((cell) => cell !== '')
      ?.normalize('NFKC')
      .slice(0, textLengthMax) ?? '';
  const match = accountPattern.exec(value);
  if (!match || (!allowsLeadingText && match.index > 0)) return undefined;
  const [number] = match;
  const hasDigits = number.replace(/\D/g, '').length >= visibleDigitsMin;
  // After an unambiguous label, eight digits are an account number, although they could be a date.
  const isDay = isDateCell(number) && (!allowsLeadingText || /\D/.test(number));
  return hasDigits && !isDay ? withoutPlaceholder(number) : undefined;
}

const datePattern =
  /\d{4}年\d{1,2}月\d{1,2}日|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}|\b\d{8}\b|\d{1,2}[ -]?[\p{L}\p{M}.]{3,12}[ -]?\d{2,4}/gu;

/** Finds the days in a text, `YYYY-MM-DD`. */
function findDays(text: string, rules: CsvDateRules): string[] {
  return [...text.slice(0, textLengthMax).matchAll(datePattern)].flatMap(([date]) => {
    const isYearFirst = /^20\d{6}$/.test(date);
    const day = withoutUnreadable(() =>
      parseCsvDay(date, isYearFirst ? { ...rules, dateOrder: 'ymd' } : rules),
    );
    return day ?? [];
  });
}
