import type { ReceivingAccount } from '../../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import type { FeedItem } from '../../../feed/feed-mapping.ts';
import type { MerchantTime, SystemTime } from '../../../kit/clock.ts';
import { DomainError, invalidInputError } from '../../../kit/errors.ts';
import { parseMoney } from '../../../kit/money.ts';
import { checkText, toStorableText } from '../../../kit/text.ts';
import type { RecordedStatus } from '../../payments/allocation/transfer-state.ts';
import type { Service } from '../../platform/service.ts';
import { type TransferInput, toReversalReference } from '../transfer/record/draft-transfer.ts';
import { isInFuture, parsePaidAt } from '../transfer/record/parse-items.ts';
import { type ReportedItem, recordItems } from '../transfer/record/record-items.ts';
import { foldAccountNumber, foldText } from '../transfer/record/resolve-account.ts';
import type { OpenBankFeed } from './open-bank-feed.ts';

/** The result of one transfer of a delivery. It is stored, so it contains no data of the payer. */
export type FeedItemResult = {
  /** The sender's ID. */
  id: string;
  status: RecordedStatus | 'invalid' | 'observed' | 'unknown_account';
  amount: string;
  currency: string;
  direction: FeedItem['direction'];
  /** The account as the sender writes it. */
  account?: string;
  transferId?: string;
  chargeId?: string;
  refundId?: string;
  reason?: string;
  /** The validation error of an invalid transfer. */
  detail?: string;
};

type ParsedFeedItem = ReportedItem & { item: FeedItem };
/** An item, and when its delivery was received. */
type ReceivedItem = { item: FeedItem; receivedAt: MerchantTime };
type RecordOptions = { items: readonly ReceivedItem[]; now: MerchantTime };

/**
 * Records transfers of deliveries in the caller's transaction, and returns their results in order. An item
 * that is invalid or of an unknown account does not affect the others.
 */
export async function recordFeedItems(
  uow: UnitOfWork<Service>,
  open: OpenBankFeed,
  { items, now, systemNow }: RecordOptions & { systemNow: SystemTime },
): Promise<FeedItemResult[]> {
  const parsedItems = items.map((item) => parseFeedItem(open, item, now));
  const validItems = parsedItems.filter((parsed) => 'input' in parsed);
  const results = await recordItems(
    uow,
    { merchant: open.merchant, actor: 'job', now, systemNow },
    validItems,
  );
  return parsedItems.map((parsed) => ({
    ...toPlainResult(parsed.item),
    ...('input' in parsed ? results.get(parsed.input) : parsed.result),
  })) as FeedItemResult[];
}

/** Returns the results of deliveries whose transfers are not recorded. */
export function observeFeedItems(open: OpenBankFeed, { items, now }: RecordOptions): FeedItemResult[] {
  return items.map((item) => {
    const parsedItem = parseFeedItem(open, item, now);
    const result = 'input' in parsedItem ? { status: 'observed' } : parsedItem.result;
    return { ...toPlainResult(item.item), ...result } as FeedItemResult;
  });
}

/** The maximum lengths of a stored value and of a stored error. */
const valueLengthMax = 255;
const detailLengthMax = 1_000;

/**
 * Shortens and cleans the values, because a sender may write anything into them, and the result must be
 * stored.
 */
function toPlainResult({ id, amount, currency, direction, accounts: [account] }: FeedItem) {
  const toValue = (text: string) => toStorableText(text.slice(0, valueLengthMax));
  return {
    id: toValue(id),
    amount: toValue(amount),
    currency: toValue(currency),
    direction,
    ...(account !== undefined && { account: toValue(account) }),
  };
}

function parseFeedItem(
  open: OpenBankFeed,
  { item, receivedAt }: ReceivedItem,
  now: MerchantTime,
): ParsedFeedItem | { item: FeedItem; result: Partial<FeedItemResult> } {
  const account = findFeedAccount(open, item);
  if (!account) return { item, result: { status: 'unknown_account' } };
  try {
    const input = toTransferInput(open, account, { item, receivedAt, now });
    return { item, account, kind: item.isReversal ? 'reversal' : item.direction, input };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return {
      item,
      result: { status: 'invalid', detail: toStorableText(error.message.slice(0, detailLengthMax)) },
    };
  }
}

/**
 * Returns the account that an item names. Of the forms in which the item names it, the first that matches
 * exactly one account decides: as entered for the feed or, without an entry, by the account's own number.
 */
function findFeedAccount({ accounts }: OpenBankFeed, item: FeedItem): ReceivingAccount | undefined {
  const [first] = accounts;
  if (first && (first.bankAccount === '*' || (item.accounts.length === 0 && accounts.length === 1)))
    return first.receivingAccount;
  for (const text of item.accounts) {
    const found = accounts.filter(({ bankAccount, receivingAccount: { method, account } }) =>
      bankAccount === null
        ? foldAccountNumber(method, account) === foldAccountNumber(method, text)
        : foldText(bankAccount) === foldText(text),
    );
    if (found.length === 1) return found[0]!.receivingAccount;
  }
  return undefined;
}

function toTransferInput(
  { feed }: OpenBankFeed,
  account: ReceivingAccount,
  { item, receivedAt, now }: ReceivedItem & { now: MerchantTime },
): TransferInput {
  const money = parseMoney(item.amount, item.currency, '/amount');
  if (money.currency !== account.currency)
    throw invalidInputError(
      '/currency',
      `must be ${account.currency}, the currency of the receiving account`,
    );
  const { paidAt, isPaidAtDateOnly } = parsePaidAt(item.paidAt ?? receivedAt.toISOString(), account);
  if (isInFuture({ paidAt, isPaidAtDateOnly }, account, now))
    throw invalidInputError('/paidAt', 'must not be in the future');
  // Several feeds may give different transfers of an account the same ID.
  const bankReference = `${feed.sourceKey}:${checkText(item.id, '/id', 255)}`;
  return {
    source: 'feed',
    fileKind: feed.sourceKey,
    bankReference: item.isReversal ? toReversalReference(bankReference) : bankReference,
    ...(item.isReversal && { reversedReference: bankReference }),
    // A sender may change the text of a transfer that it reports again, but not its amount.
    content: `${item.direction} ${money.minor} ${money.currency}`,
    money,
    reference: item.reference,
    payerName: item.payerName,
    payerAccount: item.payerAccount,
    paidAt,
    isPaidAtDateOnly,
    exception: item.isReturned ? 'returned_payment' : undefined,
  };
}
