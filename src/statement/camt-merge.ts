import type { CamtParty, CamtTransaction } from './camt-transaction.ts';
import type { StatementEntry } from './statement-entry.ts';
import { withoutUndefined } from './statement-text.ts';

/**
 * Merges the transactions of an unsplit entry: keeps each distinct text in order, and an identifier or party
 * only if all transactions agree. Returns an empty transaction if there are none, and a single one unchanged.
 */
export function mergeTransactions(transactions: CamtTransaction[]): CamtTransaction {
  const [first, ...others] = transactions;
  if (!first) return { line: 0, amounts: [], texts: [], debtor: {}, creditor: {}, returned: false };
  if (others.length === 0) return first;
  const common = <T>(read: (transaction: CamtTransaction) => T): T | undefined =>
    others.every((other) => read(other) === read(first)) ? read(first) : undefined;
  const party = (read: (transaction: CamtTransaction) => CamtParty) =>
    withoutUndefined<CamtParty>({
      name: common((one) => read(one).name),
      account: common((one) => read(one).account),
    });
  return withoutUndefined<CamtTransaction>({
    line: first.line,
    direction: undefined,
    amounts: [],
    bankReference: undefined,
    endToEndId: common((one) => one.endToEndId),
    transactionId: common((one) => one.transactionId),
    instructionId: common((one) => one.instructionId),
    mandateId: common((one) => one.mandateId),
    texts: [...new Set(transactions.flatMap(({ texts }) => texts))],
    additionalInfo: common((one) => one.additionalInfo),
    debtor: party((one) => one.debtor),
    creditor: party((one) => one.creditor),
    returned: transactions.every(({ returned }) => returned),
    returnReason: common((one) => one.returnReason),
  });
}

/**
 * Returns the other party of a transaction: the debtor of a credit, the creditor of a debit. In a reversal or
 * return, most banks keep the roles of the original payment, but some swap them. There, the other party is
 * the one that is not the statement's account. If that is unclear, the original roles are assumed.
 */
export function camtCounterparty(
  { debtor, creditor, returned }: CamtTransaction,
  {
    direction,
    reversal,
    ownAccount,
  }: Pick<StatementEntry, 'direction' | 'reversal'> & { ownAccount: string | undefined },
): CamtParty {
  const [otherSide, ownSide] = direction === 'credit' ? [debtor, creditor] : [creditor, debtor];
  if (!reversal && !returned) return otherSide;
  const isOwnAccount = ({ account }: CamtParty) => account !== undefined && account === ownAccount;
  if (isOwnAccount(ownSide) || isEmpty(ownSide)) return otherSide;
  return ownSide;
}

function isEmpty({ name, account }: CamtParty): boolean {
  return name === undefined && account === undefined;
}
