import { Prisma, type ReceivingAccount, type Statement } from '../../../../prisma/client/client.ts';
import type { Db } from '../../../kit/db.ts';
import { checkControlTotals, type Discrepancy } from '../../../statement/check-control-totals.ts';
import type { StatementSummary } from '../../../statement/control-totals.ts';
import { joinFiles, sortPages } from '../../../statement/statement-pages.ts';
import { sharedIdsSql } from '../../accounts/receiving-account/bank-account.ts';
import { isSameAccountNumber } from './account-number.ts';
import { findGapBefore, type StatementSpan } from './continuity.ts';

/** The control totals of a file, as stored with its statement. */
export type StatementControl = {
  accounts: string[];
  spans: StatementSpan[];
  /** Remarks for the merchant about how the file was read. */
  notes?: string[];
  /**
   * The files of an archive that have pages of the same statement as an earlier file, each with the first
   * such file.
   */
  joinedFiles?: Record<string, number>;
  /** The first and the last day of lines without a bank reference, `YYYY-MM-DD`. */
  unreferencedDays?: { from: string; to: string };
  /** The batch bookings whose payments a notification lists as information, by their bank references. */
  detailBatches?: string[];
};

/** The stored discrepancies of a statement, at most 50, and the number of all. */
export type StatementDiscrepancies = { count: number; items: Discrepancy[] };

const discrepanciesMax = 50;
const spansMax = 1_000;
const notesMax = 20;

/**
 * Compares a whole file with its own control totals, with its receiving account, and with the balances of
 * the earlier statements of the bank account.
 */
export async function checkStatement(
  db: Db,
  statement: Pick<Statement, 'id'> | undefined,
  options: { account: ReceivingAccount; summaries: readonly StatementSummary[] },
): Promise<{ control: StatementControl; discrepancies: StatementDiscrepancies }> {
  const { account } = options;
  const summaries = sortPages(options.summaries);
  const joinedFiles = joinFiles(summaries);
  const accounts = [...new Set(summaries.flatMap(({ accountId }) => accountId ?? []))];
  const notes = [...new Set(summaries.flatMap(({ note }) => note ?? []))].slice(0, notesMax);
  const known = await readKnownControls(db, { account, exceptId: statement?.id });
  const { spans, gaps } = joinSpans(summaries);
  const recordedSpans = known.flatMap((control) => control.spans);
  const items = [
    ...checkControlTotals(summaries),
    ...(await checkAccounts(db, { account, summaries, known: known.flatMap((control) => control.accounts) })),
    ...checkCurrencies(account, summaries),
    ...gaps,
    ...spans.flatMap(({ line, ...span }): Discrepancy[] => {
      const previous = findGapBefore(span, recordedSpans);
      return previous ? [toGapDiscrepancy(line, previous, span)] : [];
    }),
  ];
  return {
    control: {
      accounts,
      notes,
      spans: spans.slice(0, spansMax).map(({ line: _, ...span }) => span),
      ...(Object.keys(joinedFiles).length > 0 && { joinedFiles }),
    },
    discrepancies: { count: items.length, items: items.slice(0, discrepanciesMax) },
  };
}

async function readKnownControls(
  { prisma }: Db,
  { account, exceptId }: { account: Pick<ReceivingAccount, 'id'>; exceptId?: string | undefined },
): Promise<Pick<StatementControl, 'accounts' | 'spans'>[]> {
  return prisma.$queryRaw`
    SELECT control -> 'accounts' AS accounts, control -> 'spans' AS spans FROM statement
    WHERE receiving_account_id = ANY (ARRAY(${sharedIdsSql(Prisma.sql`${account.id}`)}))
      AND status = 'completed' AND control IS NOT NULL
      AND id IS DISTINCT FROM ${exceptId ?? null}
    ORDER BY id`;
}

type LocatedSpan = StatementSpan & { line: number };

/**
 * Joins statements of a file that follow each other without a gap. Returns a discrepancy for each gap within
 * the file.
 */
function joinSpans(summaries: readonly StatementSummary[]): { spans: LocatedSpan[]; gaps: Discrepancy[] } {
  const spans: LocatedSpan[] = [];
  const gaps: Discrepancy[] = [];
  for (const span of summaries.flatMap(toSpan)) {
    const previous = spans.findLast(
      ({ accountId, currency }) => accountId === span.accountId && currency === span.currency,
    );
    if (previous?.closing === span.opening) {
      previous.closing = span.closing;
      if (span.closingOn !== undefined) previous.closingOn = span.closingOn;
    } else spans.push(span);
  }
  for (const span of spans) {
    const gap = findGapBefore(
      span,
      spans.filter((other) => other !== span),
    );
    if (gap) gaps.push(toGapDiscrepancy(span.line, gap, span));
  }
  return { spans, gaps };
}

function toSpan(summary: StatementSummary): LocatedSpan[] {
  const { kind, line, accountId, controlTotals } = summary;
  const { openingBalance: opening, closingBalance: closing } = controlTotals ?? {};
  if (!opening || !closing || opening.currency !== closing.currency) return [];
  return [
    {
      kind,
      line,
      ...(accountId !== undefined && { accountId }),
      currency: opening.currency,
      opening: String(opening.minor),
      ...(opening.on !== undefined && { openingOn: opening.on }),
      closing: String(closing.minor),
      ...(closing.on !== undefined && { closingOn: closing.on }),
    },
  ];
}

function toGapDiscrepancy(line: number, previous: StatementSpan, span: StatementSpan): Discrepancy {
  const { currency } = span;
  return { kind: 'continuity', line, expected: previous.closing, actual: span.opening, currency };
}

/**
 * Returns the accounts of the file that are not the receiving account. The bank account of the receiving account is
 * known from its earlier statements, because customers may see a different number, or else is its own number if its
 * method is a bank transfer. If it is unknown, the statement must name only one account, and none that belongs to
 * another receiving account.
 */
async function checkAccounts(
  { prisma }: Db,
  options: { account: ReceivingAccount; summaries: readonly StatementSummary[]; known: readonly string[] },
): Promise<Discrepancy[]> {
  const { account, summaries, known } = options;
  const named = summaries.flatMap(({ accountId, line }) =>
    accountId === undefined ? [] : [{ accountId, line }],
  );
  if (named.length === 0) return [];
  const hasBankAccount = account.method.endsWith('bank-transfer');
  const own = known.length > 0 ? known : hasBankAccount ? [account.account] : [];
  const foreign =
    own.length > 0
      ? []
      : await prisma.$queryRaw<{ account: string }[]>`
          SELECT DISTINCT jsonb_array_elements_text(control -> 'accounts') AS account FROM statement
          WHERE merchant_id = ${account.merchantId} AND mode = ${account.mode}::mode AND status = 'completed'
            AND receiving_account_id <> ${account.id} AND control IS NOT NULL`;
  const [first] = named;
  const isOwn = ({ accountId }: { accountId: string }) =>
    own.length > 0
      ? own.some((account) => isSameAccountNumber(account, accountId))
      : foreign.every((account) => !isSameAccountNumber(account.account, accountId)) &&
        isSameAccountNumber(accountId, first?.accountId ?? '');
  const seen = new Set<string>();
  return named.flatMap((page): Discrepancy[] => {
    if (isOwn(page) || seen.has(page.accountId)) return [];
    seen.add(page.accountId);
    const expected = [...new Set(own)].join(', ') || account.account;
    return [{ kind: 'account_mismatch', line: page.line, expected, actual: page.accountId }];
  });
}

/** Returns the statements whose currency is not that of the account. */
function checkCurrencies(account: ReceivingAccount, summaries: readonly StatementSummary[]): Discrepancy[] {
  return summaries.flatMap(({ accountCurrency, controlTotals, totals, line }): Discrepancy[] => {
    const named = accountCurrency ?? controlTotals?.currency ?? controlTotals?.openingBalance?.currency;
    const currencies = named === undefined ? totals.currencies : [named];
    if (currencies.length === 0 || currencies.includes(account.currency)) return [];
    return [{ kind: 'currency_mismatch', line, expected: account.currency, actual: currencies.join(', ') }];
  });
}
