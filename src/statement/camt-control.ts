import { parseCamtDate } from './camt-date.ts';
import type { ControlTotals, StatementBalance } from './control-totals.ts';
import { withoutUnreadable } from './invalid-statement.ts';
import { parseStatementAmount, parseStatementMinor } from './statement-amount.ts';
import { withoutUndefined } from './statement-text.ts';
import { findAll, findText, getOnlyChild, type XmlNode } from './xml-node.ts';

/** The elements of a statement that have control totals, page numbers or sequence numbers. */
export const camtControlElements = [
  'Bal',
  'TxsSummry',
  'StmtPgntn',
  'RptPgntn',
  'NtfctnPgntn',
  'ElctrncSeqNb',
  'LglSeqNb',
];

/**
 * Returns the control totals of a statement from its elements. Unreadable ones are omitted, because the entries are
 * complete without them.
 */
export function readCamtControlTotals(parts: XmlNode[], accountCurrency: string | undefined): ControlTotals {
  const named = (...names: string[]) => parts.filter(({ name }) => names.includes(name));
  const page = named('StmtPgntn', 'RptPgntn', 'NtfctnPgntn', 'MsgPgntn')[0];
  const balances = readBalances(named('Bal'));
  const currency = accountCurrency ?? balances.openingBalance?.currency ?? balances.closingBalance?.currency;
  const [summary] = named('TxsSummry');
  const isLastPage = page && findText(page, 'LastPgInd');
  return withoutUndefined<ControlTotals>({
    ...balances,
    ...(summary && readSums(summary, currency)),
    statementNumber: named('ElctrncSeqNb')[0]?.text ?? named('LglSeqNb')[0]?.text,
    pageNumber: page && parseCount(findText(page, 'PgNb')),
    isLastPage: isLastPage === undefined ? undefined : /^(true|1)$/.test(isLastPage),
  });
}

/**
 * Chooses the opening and the closing balance: `OPBD`, or else `PRCD`, and `CLBD`. A page begins or ends with
 * an interim balance (`ITBD`) instead.
 */
function readBalances(nodes: XmlNode[]): Pick<ControlTotals, 'openingBalance' | 'closingBalance'> {
  const balances = nodes.flatMap((node) => readBalance(node) ?? []);
  const find = (type: string) => balances.find((balance) => balance.type === type)?.balance;
  const interims = balances.filter(({ type }) => type === 'ITBD').map(({ balance }) => balance);
  const opening = find('OPBD') ?? find('PRCD');
  const closing = find('CLBD');
  return withoutUndefined<Pick<ControlTotals, 'openingBalance' | 'closingBalance'>>({
    openingBalance: opening ?? (closing || interims.length === 2 ? interims[0] : undefined),
    closingBalance: closing ?? (opening || interims.length === 2 ? interims.at(-1) : undefined),
  });
}

function readBalance(node: XmlNode): { type: string; balance: StatementBalance } | undefined {
  const type = findText(node, 'Tp', 'CdOrPrtry', 'Cd');
  const indicator = findText(node, 'CdtDbtInd');
  if (type === undefined || (indicator !== 'CRDT' && indicator !== 'DBIT')) return;
  return withoutUnreadable(() => {
    const amount = getOnlyChild(node, 'Amt');
    const date = getOnlyChild(node, 'Dt');
    if (!amount?.currency) return;
    const { text, currency, line } = amount;
    const { minor } = parseStatementAmount(text, currency, line);
    const balance = withoutUndefined<StatementBalance>({
      minor: indicator === 'DBIT' ? -minor : minor,
      currency,
      on: date && parseCamtDate(date)?.day,
      isIntermediate: type === 'ITBD' || findText(node, 'Tp', 'SubTp', 'Cd') === 'INTM',
    });
    return { type, balance };
  });
}

function readSums(summary: XmlNode, currency: string | undefined): ControlTotals {
  const sum = (text: string | undefined) =>
    text === undefined || currency === undefined
      ? undefined
      : withoutUnreadable(() => parseStatementMinor(text, currency, summary.line));
  const count = (name: string) => parseCount(findText(summary, name, 'NbOfNtries'));
  const net =
    sum(findText(summary, 'TtlNtries', 'TtlNetNtry', 'Amt')) ??
    sum(findText(summary, 'TtlNtries', 'TtlNetNtryAmt'));
  const indicator =
    findText(summary, 'TtlNtries', 'TtlNetNtry', 'CdtDbtInd') ?? findText(summary, 'TtlNtries', 'CdtDbtInd');
  return withoutUndefined<ControlTotals>({
    entryCount: count('TtlNtries'),
    entrySum: sum(findText(summary, 'TtlNtries', 'Sum')),
    creditCount: count('TtlCdtNtries'),
    creditSum: sum(findText(summary, 'TtlCdtNtries', 'Sum')),
    debitCount: count('TtlDbtNtries'),
    debitSum: sum(findText(summary, 'TtlDbtNtries', 'Sum')),
    netSum: net === undefined || indicator === undefined ? undefined : indicator === 'DBIT' ? -net : net,
    currency,
  });
}

function parseCount(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

/** Returns the element with the page number of the message, which applies to all of its statements. */
export function findMessagePages(header: XmlNode): XmlNode[] {
  return findAll(header, 'MsgPgntn');
}
