import type { CamtParty, CamtTransaction } from './camt-transaction.ts';
import type { StatementEntry } from './statement-entry.ts';
import { withoutUndefined } from './statement-text.ts';

/**
 * Merges the transactions of an unsplit entry: keeps each distinct text in order, and any other value only if it is
 * the same in all transactions. Omits their amounts and bank references. Returns an empty transaction if there are
 * none, and a single one unchanged.
 */
export function mergeTransactions(transactions: CamtTransaction[]): CamtTransaction {
  const [first, ...others] = transactions;
  if (!first)
    return { line: 0, amounts: [], texts: [], otherTexts: [], debtor: {}, creditor: {}, isReturned: false };
  if (others.length === 0) return first;
  const getCommon = <T>(read: (transaction: CamtTransaction) => T): T | undefined =>
    others.every((other) => read(other) === read(first)) ? read(first) : undefined;
  const mergeParty = (read: (transaction: CamtTransaction) => CamtParty) =>
    withoutUndefined<CamtParty>({
      name: getCommon((transaction) => read(transaction).name),
      account: getCommon((transaction) => read(transaction).account),
    });
  return withoutUndefined<CamtTransaction>({
    line: first.line,
    direction: undefined,
    amounts: [],
    bankReference: undefined,
    endToEndId: getCommon((transaction) => transaction.endToEndId),
    transactionId: getCommon((transaction) => transaction.transactionId),
    instructionId: getCommon((transaction) => transaction.instructionId),
    mandateId: getCommon((transaction) => transaction.mandateId),
    texts: [...new Set(transactions.flatMap(({ texts }) => texts))],
    otherTexts: [...new Set(transactions.flatMap(({ otherTexts }) => otherTexts))],
    additionalInfo: getCommon((transaction) => transaction.additionalInfo),
    debtor: mergeParty((transaction) => transaction.debtor),
    creditor: mergeParty((transaction) => transaction.creditor),
    isReturned: transactions.every(({ isReturned }) => isReturned),
    returnReason: getCommon((transaction) => transaction.returnReason),
  });
}

/**
 * Returns the other party of a transaction: the debtor of a credit, the creditor of a debit. In a reversal or
 * return, most banks keep the roles of the original payment, so the other party has the role that the account owner
 * would otherwise have. Some banks swap the roles: then the party in this role has the statement's account or is
 * empty.
 */
export function getCamtCounterparty(
  { debtor, creditor, isReturned }: CamtTransaction,
  {
    direction,
    isReversal,
    ownAccount,
  }: Pick<StatementEntry, 'direction' | 'isReversal'> & { ownAccount: string | undefined },
): CamtParty {
  const [otherSide, ownSide] = direction === 'credit' ? [debtor, creditor] : [creditor, debtor];
  if (!isReversal && !isReturned) return otherSide;
  const isOwnAccount = ({ account }: CamtParty) => account !== undefined && account === ownAccount;
  if (isOwnAccount(ownSide) || isEmpty(ownSide)) return otherSide;
  return ownSide;
}

function isEmpty({ name, account }: CamtParty): boolean {
  return name === undefined && account === undefined;
}
