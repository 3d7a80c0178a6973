import type { Merchant, Mode, ReceivingAccount, TransferStatus } from '../../../prisma/client/client.ts';
import type { Db } from '../../kit/db.ts';
import { DomainError, invalidInput } from '../../kit/errors.ts';
import { parseMoney } from '../../kit/money.ts';
import { checkText } from '../../kit/text.ts';
import type { TransferInput } from './insert-transfer.ts';
import { parsePaidAt } from './parse-paid-at.ts';
import { recordTransfer } from './record-transfer.ts';
import type { ExceptionReason } from './transfer-state.ts';

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
};

export type TransferItemResult = {
  id: string;
  status: TransferStatus;
  transferId?: string;
  chargeId?: string;
  reason?: ExceptionReason;
  /** Of an `invalid` item: what is wrong with it. */
  detail?: string;
};

export const transfersMax = 500;
const referenceMax = 1_000;

/**
 * Records what a bank feed tells, each item by itself and in order: a bad one is an `exception` with reason `invalid`
 * and the others count. Safe to repeat: the same items again answer `duplicate`.
 */
export async function recordTransfers(
  db: Db,
  options: { merchant: Merchant; mode: Mode; items: readonly TransferItem[]; actor: string; now: Date },
): Promise<TransferItemResult[]> {
  const { merchant, mode, actor, now } = options;
  const accounts = await db.prisma.receivingAccount.findMany({
    where: { merchantId: merchant.id, mode },
    orderBy: [{ status: 'asc' }, { id: 'asc' }],
  });
  const results: TransferItemResult[] = [];
  for (const item of options.items) {
    const parsed = tryParse(item, accounts, now);
    if ('detail' in parsed) {
      results.push({ id: item.id, status: 'exception', reason: 'invalid', detail: parsed.detail });
      continue;
    }
    results.push({ id: item.id, ...(await recordTransfer(db, { merchant, ...parsed, actor, now })) });
  }
  return results;
}

type Parsed = { account: ReceivingAccount; input: TransferInput };

function tryParse(item: TransferItem, accounts: ReceivingAccount[], now: Date): Parsed | { detail: string } {
  try {
    return parseItem(item, accounts, now);
  } catch (error) {
    if (error instanceof DomainError) return { detail: error.message };
    throw error;
  }
}

function parseItem(item: TransferItem, accounts: ReceivingAccount[], now: Date): Parsed {
  const account = accounts.find((one) =>
    item.receivingAccountId != null
      ? one.id === item.receivingAccountId
      : one.method === item.method && digitsAndLetters(one.account) === digitsAndLetters(item.account ?? ''),
  );
  if (!account)
    throw invalidInput('/receivingAccountId', 'or method and account must name a receiving account of yours');
  const { paidAt, paidAtIsDate } = parsePaidAt(item.paidAt, account, now);
  const money = parseMoney(item.amount, item.currency, '/amount');
  const reference = checkText(item.reference, '/reference', referenceMax);
  const input: TransferInput = {
    source: 'feed',
    bankReference: checkText(item.id, '/id', 255),
    content: JSON.stringify([money.minor.toString(), money.currency, reference, paidAt.toISOString()]),
    money,
    reference,
    payerName: item.payerName == null ? undefined : checkText(item.payerName, '/payerName', 200),
    paidAt,
    paidAtIsDate,
  };
  return { account, input };
}

/** Banks group account numbers in their own ways. */
function digitsAndLetters(account: string): string {
  return account.replace(/[^\p{L}\p{N}]/gu, '').toUpperCase();
}
