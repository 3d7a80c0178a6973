import { parseCamtDate } from './camt-date.ts';
import { getCamtCounterparty, mergeTransactions } from './camt-merge.ts';
import type { CamtMessage } from './camt-message.ts';
import type { CamtTransaction } from './camt-transaction.ts';
import { invalidStatementError } from './invalid-statement.ts';
import { parseStatementAmount, parseStatementMinor } from './statement-amount.ts';
import type { StatementEntry } from './statement-entry.ts';
import { joinTexts, selectOtherTexts, withoutPlaceholder, withoutUndefined } from './statement-text.ts';
import { findAll, findText, getOnlyChild, type XmlNode } from './xml-node.ts';

/** The report, statement or notification that contains an entry. */
export type CamtStatement = {
  kind: CamtMessage['name'];
  statementId?: string;
  accountId?: string;
  accountCurrency?: string;
};

/** The fields that all transactions of one `Ntry` share. */
type SharedFields = Pick<
  StatementEntry,
  'direction' | 'status' | 'isReversal' | 'amount' | 'bookedOn' | 'bookedAt' | 'bookedAtLocal' | 'valueOn'
>;

/**
 * Converts one `Ntry` (ISO 20022 ReportEntry) to entries. An `Ntry` with several transactions is split only if
 * their amounts are known in its currency and add up to its amount, so that no amount is guessed. Otherwise it
 * stays one entry with a `transactionCount` above 1. If its transactions are credits of a larger sum, because
 * acquirers book a batch net of their fees, they come before it as information, or replace it if it is information
 * too.
 */
export function toCamtEntries(
  node: XmlNode,
  { transactions, statement }: { transactions: CamtTransaction[]; statement: CamtStatement },
): StatementEntry[] {
  const shared = readSharedFields(node, statement.kind);
  const entryReference = withoutPlaceholder(findText(node, 'AcctSvcrRef'));
  const info = findText(node, 'AddtlNtryInf');
  const texts = { info, entryText: withoutPlaceholder(findText(node, 'NtryRef')) };
  const parts = transactions.length > 1 ? readParts(shared, transactions) : undefined;
  const context = { statement, ...texts };
  const isNet = entryReference !== undefined && parts !== undefined && isNetBatch(shared, parts);
  const netBatchAmount = isNet && shared.status === 'booked' ? shared.amount.minor : undefined;
  const toPartEntries = (status: StatementEntry['status']) => {
    const references = toReferences(transactions, entryReference);
    return transactions.map((transaction, index) => {
      const fields = {
        ...parts![index]!,
        transactionCount: 1,
        bankReference: references[index],
        batchReference: entryReference,
        netBatchAmount,
        line: transaction.line,
      };
      return toEntry({ ...shared, ...fields, status }, transaction, context);
    });
  };
  const isSplit = parts !== undefined && sumParts(shared, parts) === shared.amount.minor;
  if (isSplit || (isNet && shared.status === 'information')) return toPartEntries(shared.status);
  const merged = mergeTransactions(transactions);
  const bankReference = transactions.length > 1 ? entryReference : (merged.bankReference ?? entryReference);
  const entryFields = {
    ...shared,
    transactionCount:
      transactions.length > 1 ? transactions.length : countPayments(node, shared, transactions[0]),
    bankReference,
    batchReference: entryReference === bankReference ? undefined : entryReference,
    netBatchAmount,
    line: node.line,
  };
  return [...(isNet ? toPartEntries('information') : []), toEntry(entryFields, merged, context)];
}

function toEntry(
  fields: SharedFields & {
    transactionCount: number;
    bankReference: string | undefined;
    batchReference: string | undefined;
    netBatchAmount: bigint | undefined;
    line: number;
  },
  transaction: CamtTransaction,
  {
    statement,
    info,
    entryText,
  }: { statement: CamtStatement; info: string | undefined; entryText: string | undefined },
): StatementEntry {
  const counterparty = getCamtCounterparty(transaction, { ...fields, ownAccount: statement.accountId });
  const reference = joinTexts(transaction.texts) ?? '';
  const additionalInfo = joinTexts([transaction.additionalInfo, info]);
  return withoutUndefined<StatementEntry>({
    ...fields,
    ...statement,
    isReturned: transaction.isReturned,
    returnReason: transaction.returnReason,
    endToEndId: transaction.endToEndId,
    transactionId: transaction.transactionId,
    instructionId: transaction.instructionId,
    mandateId: transaction.mandateId,
    reference,
    additionalInfo,
    otherTexts: selectOtherTexts([...transaction.otherTexts, entryText], [reference, additionalInfo]),
    counterpartyName: counterparty.name,
    counterpartyAccount: counterparty.account,
  });
}

function readSharedFields(node: XmlNode, kind: CamtStatement['kind']): SharedFields {
  const booked = getOnlyChild(node, 'BookgDt');
  const value = getOnlyChild(node, 'ValDt');
  const { day: bookedOn, at: bookedAt, atLocal: bookedAtLocal } = (booked && parseCamtDate(booked)) ?? {};
  return withoutUndefined<SharedFields>({
    direction: parseDirection(requireChild(node, 'CdtDbtInd')),
    status: readStatus(node, kind),
    isReversal: isTrue(getOnlyChild(node, 'RvslInd')),
    amount: readEntryAmount(node),
    bookedOn,
    bookedAt,
    bookedAtLocal,
    valueOn: value && parseCamtDate(value)?.day,
  });
}

export function readEntryAmount(node: XmlNode): StatementEntry['amount'] {
  const { text, currency, line } = requireChild(node, 'Amt');
  if (currency === undefined) throw invalidStatementError(line, '<Amt> has no currency (Ccy)');
  return parseStatementAmount(text, currency, line);
}

function requireChild(node: XmlNode, name: string): XmlNode {
  const child = getOnlyChild(node, name);
  if (!child) throw invalidStatementError(node.line, `this <${node.name}> has no <${name}>`);
  return child;
}

function parseDirection({ text, line }: { text: string; line: number }): 'credit' | 'debit' {
  if (text === 'CRDT') return 'credit';
  if (text === 'DBIT') return 'debit';
  throw invalidStatementError(line, `<CdtDbtInd> "${text.slice(0, 40)}" is neither CRDT nor DBIT`);
}

const statuses = new Map<string, StatementEntry['status']>([
  ['BOOK', 'booked'],
  ['PDNG', 'pending'],
  ['FUTR', 'pending'],
  ['INFO', 'information'],
]);

/**
 * Returns the status of an entry. Some banks omit it, because a statement lists only booked entries. Entries that
 * an interim report lists as booked are provisional.
 */
function readStatus(node: XmlNode, kind: CamtStatement['kind']): StatementEntry['status'] {
  const statusNode = getOnlyChild(node, 'Sts');
  const status = statusNode ? parseStatus(statusNode) : 'booked';
  return status === 'booked' && kind === 'camt.052' ? 'provisional' : status;
}

/**
 * Parses a status: plain text up to version 6; from version 7, `Cd` or the bank's own `Prtry`. An entry with a
 * proprietary status never moves money.
 */
function parseStatus(node: XmlNode): StatementEntry['status'] {
  const code = findText(node, 'Cd') ?? node.text;
  const entryStatus = statuses.get(code);
  if (entryStatus) return entryStatus;
  if (code === '' && findText(node, 'Prtry') !== undefined) return 'information';
  throw invalidStatementError(
    node.line,
    `<Sts> "${code.slice(0, 40)}" must be one of BOOK, PDNG, FUTR, INFO`,
  );
}

function isTrue(node: XmlNode | undefined): boolean {
  if (!node || node.text === 'false' || node.text === '0') return false;
  if (node.text === 'true' || node.text === '1') return true;
  throw invalidStatementError(
    node.line,
    `<${node.name}> "${node.text.slice(0, 40)}" is neither true nor false`,
  );
}

/**
 * Returns the number of payments in an entry with at most one `TxDtls`. This is 1 if the transaction's amount equals
 * the entry's; otherwise the number that the batch blocks (`Btch`) contain, but at least 1.
 */
function countPayments(
  node: XmlNode,
  { amount }: SharedFields,
  transaction: CamtTransaction | undefined,
): number {
  const isSinglePayment = transaction?.amounts.some(
    ({ text, currency, line }) =>
      currency === amount.currency && parseStatementMinor(text, currency, line) === amount.minor,
  );
  if (isSinglePayment) return 1;
  const blocks = [...findAll(node, 'NtryDtls', 'Btch', 'NbOfTxs'), ...findAll(node, 'Btch', 'NbOfTxs')];
  const counts = blocks.map(({ text }) => (/^\d{1,9}$/.test(text) ? Number(text) : 0));
  return Math.max(
    1,
    counts.reduce((sum, count) => sum + count, 0),
  );
}

type EntryPart = Pick<SharedFields, 'amount' | 'direction'>;

/**
 * Returns the amount and direction of each transaction, or undefined if one is unknown in the currency of the
 * entry.
 */
function readParts(entry: SharedFields, transactions: CamtTransaction[]): EntryPart[] | undefined {
  const { currency } = entry.amount;
  const parts: EntryPart[] = [];
  for (const { amounts, direction: indicator, line } of transactions) {
    const direction = indicator === undefined ? entry.direction : parseDirection({ text: indicator, line });
    const candidate = amounts.find((amount) => amount.currency === currency);
    const minor = candidate && parseStatementMinor(candidate.text, currency, candidate.line);
    if (minor === undefined) return undefined;
    parts.push({ amount: { minor, currency }, direction });
  }
  return parts;
}

/** Returns the sum of the transactions in the direction of the entry. */
function sumParts(entry: SharedFields, parts: EntryPart[]): bigint {
  return parts.reduce(
    (sum, { direction, amount }) => sum + (direction === entry.direction ? amount.minor : -amount.minor),
    0n,
  );
}

/** Returns whether the payments in an incoming entry exceed the booked amount. */
function isNetBatch(entry: SharedFields, parts: EntryPart[]): boolean {
  const isIncoming = parts.every(({ direction }) => direction === 'credit') && entry.direction === 'credit';
  return isIncoming && !entry.isReversal && sumParts(entry, parts) > entry.amount.minor;
}

/**
 * Returns a reference for each transaction that is unique in its entry, or undefined if the bank gives none. This
 * is the transaction's own bank reference if it is unique. Otherwise, it is a shared reference followed by the
 * position of the transaction, because banks list the transactions of an entry in the same order in each file.
 */
function toReferences(
  transactions: CamtTransaction[],
  entryReference: string | undefined,
): (string | undefined)[] {
  const counts = new Map<string, number>();
  for (const { bankReference = '' } of transactions)
    counts.set(bankReference, (counts.get(bankReference) ?? 0) + 1);
  return transactions.map(({ bankReference }, index) => {
    const isUnique =
      bankReference !== undefined && bankReference !== entryReference && counts.get(bankReference) === 1;
    if (isUnique) return bankReference;
    const baseReference = bankReference ?? entryReference;
    return baseReference === undefined ? undefined : `${baseReference}/${index + 1}`;
  });
}
