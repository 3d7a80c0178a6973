import type {
  Merchant,
  Mode,
  ReceivingAccount,
  TransferSource,
  TransferStatus,
} from '../../../prisma/client/client.ts';
import type { Db } from '../../kit/db.ts';
import { DomainError, invalidInput } from '../../kit/errors.ts';
import { parseMoney } from '../../kit/money.ts';
import { checkText } from '../../kit/text.ts';
import type { TransferReason } from '../payout/outgoing-reasons.ts';
import { type OutgoingResult, recordOutgoing } from '../payout/record-outgoing.ts';
import type { TransferInput } from './draft-transfer.ts';
import { findToldAccount } from './find-told-account.ts';
import { parsePaidAt } from './parse-paid-at.ts';
import { recordBatch, type TransferResult } from './record-batch.ts';

/** One item of a bank feed, as it arrives; the account by its id, or by method and account number. */
export type TransferItem = {
  id: string;
  receivingAccountId?: string | null | undefined;
  method?: string | null | undefined;
  account?: string | null | undefined;
  amount: number | string;
  currency: string;
  reference: string;
  payerName?: string | null | undefined;
  paidAt: string;
  /** `debit` for money that went out; left out: it came. */
  direction?: 'credit' | 'debit' | null | undefined;
};

export type TransferItemResult = {
  id: string;
  status: TransferStatus;
  transferId?: string;
  chargeId?: string;
  /** Of money that went out: the refund whose payout it is. */
  refundId?: string;
  reason?: TransferReason;
  /** Of an `invalid` item: what is wrong with it. */
  detail?: string;
};

export const transfersMax = 500;
const referenceMax = 1_000;

/**
 * Records what a bank feed tells, each item by itself and those of one account in order: a bad one is an `exception`
 * with reason `invalid` and the others count. Safe to repeat: the same items again answer `duplicate`.
 */
export async function recordTransfers(
  db: Db,
  options: {
    merchant: Merchant;
    mode: Mode;
    /** A person at the dashboard tells `by hand`, beside what feeds and statements tell. */
    source?: 'feed' | 'hand';
    items: readonly TransferItem[];
    actor: string;
    now: Date;
  },
): Promise<TransferItemResult[]> {
  const { merchant, mode, source = 'feed', items, actor, now } = options;
  const accounts = await db.prisma.receivingAccount.findMany({
    where: { merchantId: merchant.id, mode },
  });
  const parsed = items.map((item) => tryParse(item, accounts, { source, now }));
  const results = parsed.map((one, i): TransferItemResult | undefined =>
    'detail' in one ? { id: items[i]!.id, status: 'exception', reason: 'invalid', ...one } : undefined,
  );
  const readable = parsed.flatMap((one, i) => ('detail' in one ? [] : { ...one, i }));
  // Accounts are locked in one order, for when all of it is one transaction.
  const byAccount = [...Map.groupBy(readable, (one) => one.account)].sort(([a], [b]) =>
    a.id < b.id ? -1 : 1,
  );
  for (const [account, told] of byAccount) {
    const recording = { merchant, account, actor, now };
    const isOut = ({ i }: { i: number }) => items[i]?.direction === 'debit';
    for (const [record, some] of [
      [recordBatch, told.filter((one) => !isOut(one))],
      [recordOutgoing, told.filter(isOut)],
    ] as const) {
      const inputs = some.map(({ input }) => input);
      const recorded: (TransferResult | OutgoingResult)[] = await record(db, recording, inputs);
      for (const [n, { i }] of some.entries()) results[i] = { id: items[i]!.id, ...recorded[n]! };
    }
  }
  return results as TransferItemResult[];
}

type Parsed = { account: ReceivingAccount; input: TransferInput };

type Telling = { source: TransferSource; now: Date };

function tryParse(
  item: TransferItem,
  accounts: ReceivingAccount[],
  telling: Telling,
): Parsed | { detail: string } {
  try {
    return parseItem(item, accounts, telling);
  } catch (error) {
    if (error instanceof DomainError) return { detail: error.message };
    throw error;
  }
}

function parseItem(item: TransferItem, accounts: ReceivingAccount[], { source, now }: Telling): Parsed {
  const account = findToldAccount(accounts, item);
  const { paidAt, paidAtIsDate } = parsePaidAt(item.paidAt, account, now);
  const money = parseMoney(item.amount, item.currency, '/amount');
  const reference = checkText(item.reference, '/reference', referenceMax);
  const input: TransferInput = {
    source,
    bankReference: readId(item.id),
    content: JSON.stringify([money.minor.toString(), money.currency, reference, paidAt.toISOString()]),
    money,
    reference,
    payerName: item.payerName == null ? undefined : checkText(item.payerName, '/payerName', 200),
    paidAt,
    paidAtIsDate,
  };
  return { account, input };
}

/** One that says nothing would be the same for all. */
function readId(id: string): string {
  if (id.trim() === '') throw invalidInput('/id', 'must be what the bank calls the transfer');
  return checkText(id, '/id', 255);
}
