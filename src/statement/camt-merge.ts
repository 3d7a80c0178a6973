import type { CamtParty, CamtTransaction } from './camt-transaction.ts';
import type { StatementEntry } from './statement-entry.ts';
import { withoutUndefined } from './statement-text.ts';

/**
 * The transactions of an entry that stays whole as one: every text once, in order; an identifier or party only where
 * all agree on it. None gives an empty one, a single one itself.
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
 * The other side of a transaction: of a credit the debtor, of a debit the creditor. A reversal or return keeps the
 * roles of the payment it undoes at most banks, but not at all: there the side that is not our account is taken,
 * and where that does not tell, the roles of the first payment.
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
