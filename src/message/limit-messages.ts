import type { MessageAudience, MessageChannel, Mode } from '../../prisma/client/client.ts';
import { normalizeMailbox } from '../kit/contact.ts';
import type { Tx } from '../kit/db.ts';
import { hourMs } from '../kit/duration.ts';
import { lockByName } from '../kit/lock-by-name.ts';

/**
 * The cause of a message, which decides its limits.
 *
 * - `anonymous`: requested by a person who is not signed in, possibly for another person's address.
 * - `unpaid_enrolment`: a subscription without any payment; its address may be another person's.
 * - `merchant`: a user or API key of the merchant.
 * - `system`: a paid subscription, a change to an account, or an alert. Its emails and chat messages have no
 *   limit, so that an attacker cannot suppress them.
 */
export type MessageTrigger = 'anonymous' | 'unpaid_enrolment' | 'merchant' | 'system';

/** The maximum number of messages per hour. */
type MessageLimit = { perRecipient: number; perMerchant?: number };

/** The limit of SMS for every trigger, because each SMS costs money. */
const smsLimit: MessageLimit = { perRecipient: 5, perMerchant: 100 };

const emailLimits: Record<Exclude<MessageTrigger, 'system'>, MessageLimit> = {
  anonymous: { perRecipient: 5, perMerchant: 1_000 },
  unpaid_enrolment: { perRecipient: 5 },
  merchant: { perRecipient: 20 },
};

const windowMs = hourMs;

type LimitedMessage = {
  merchantId: string | null;
  mode: Mode | null;
  audience: MessageAudience;
  channel: MessageChannel;
  trigger: MessageTrigger;
  to: string;
};

/** The limits that a message counts towards, or the reason why it exceeds one. */
export type LimitVerdict =
  | { isAllowed: true; recipientLimitKey: string | null; merchantLimitKey: string | null }
  | { isAllowed: false; reason: string; retryAfterSeconds: number };

type Counter = { key: string; max: number; counted: number; oldest: Date };

/**
 * Decides for each message, in order, whether it is within the limits of its recipient and its merchant.
 * Counts the messages of the last hour under locks that are held until the end of the transaction. Concurrent
 * transactions therefore never exceed a limit together.
 */
export async function limitMessages(
  tx: Tx,
  messages: readonly LimitedMessage[],
  now: Date,
): Promise<LimitVerdict[]> {
  const keys = messages.map(getLimitKeys);
  const merchantKeys = new Map(keys.flatMap(({ merchant }) => (merchant ? [merchant] : [])));
  const recipientKeys = new Map(keys.flatMap(({ recipient }) => (recipient ? [recipient] : [])));
  await lockByName(tx, ...toLockNames(merchantKeys), ...toLockNames(recipientKeys));
  const merchantCounters = await countMessages(tx, 'merchant_limit_key', { keys: merchantKeys, now });
  const recipientCounters = await countMessages(tx, 'recipient_limit_key', { keys: recipientKeys, now });
  return keys.map(({ recipient, merchant }) => {
    const recipientCounter = recipient && recipientCounters.get(recipient[0])!;
    const merchantCounter = merchant && merchantCounters.get(merchant[0])!;
    for (const [counter, scopeText] of [
      [recipientCounter, 'to one recipient'],
      [merchantCounter, 'for one merchant'],
    ] as const)
      if (counter && counter.counted >= counter.max) return toExceededVerdict(counter, scopeText, now);
    for (const counter of [recipientCounter, merchantCounter]) if (counter) counter.counted++;
    return {
      isAllowed: true,
      recipientLimitKey: recipientCounter?.key ?? null,
      merchantLimitKey: merchantCounter?.key ?? null,
    };
  });
}

function toExceededVerdict(
  { max, oldest }: Counter,
  scopeText: string,
  now: Date,
): LimitVerdict & { isAllowed: false } {
  const waitMs = oldest.getTime() + windowMs - now.getTime();
  return {
    isAllowed: false,
    reason: `At most ${max} messages of this kind per hour can be sent ${scopeText}`,
    retryAfterSeconds: Math.ceil(waitMs / 1_000),
  };
}

type LimitKey = [key: string, max: number];

/**
 * Returns the keys under which a message is counted, with their limits. The sandbox counts recipients separately
 * for each merchant, because the examples of many merchants use the same addresses.
 */
function getLimitKeys(message: LimitedMessage): { recipient?: LimitKey; merchant?: LimitKey } {
  const { merchantId, mode, audience, channel, trigger } = message;
  if (channel !== 'sms' && trigger === 'system') return {};
  const { perRecipient, perMerchant } =
    channel === 'sms' || trigger === 'system' ? smsLimit : emailLimits[trigger];
  const kind = channel === 'sms' ? channel : `${channel} ${trigger} ${audience}`;
  const scope = mode === 'sandbox' ? `sandbox ${merchantId}` : 'live';
  const recipient: LimitKey = [`${kind} ${scope} ${toRecipientKey(message)}`, perRecipient];
  if (perMerchant === undefined || merchantId === null) return { recipient };
  return { recipient, merchant: [`${kind} ${mode ?? 'live'} ${merchantId}`, perMerchant] };
}

/** Chats of several merchants share the host of their provider. */
function toRecipientKey({ channel, to, merchantId }: LimitedMessage): string {
  if (channel === 'chat') return `${merchantId} ${to}`;
  return channel === 'email' ? normalizeMailbox(to) : to;
}

/** Returns the names of the locks in sorted order, which prevents deadlocks. */
function toLockNames(keys: ReadonlyMap<string, number>): string[] {
  return [...keys.keys()].sort().map((key) => `messages ${key}`);
}

async function countMessages(
  tx: Tx,
  column: 'recipient_limit_key' | 'merchant_limit_key',
  { keys, now }: { keys: ReadonlyMap<string, number>; now: Date },
): Promise<Map<string, Counter>> {
  if (keys.size === 0) return new Map();
  const since = new Date(now.getTime() - windowMs);
  const rows = await tx.$queryRawUnsafe<{ key: string; counted: number; oldest: Date | null }[]>(
    `SELECT input.key, newest.counted, newest.oldest
     FROM unnest($1::text[], $2::int[]) AS input(key, max), LATERAL (
       SELECT count(*)::int AS counted, min(created_at) AS oldest FROM (
         SELECT created_at FROM message WHERE ${column} = input.key AND created_at > $3
         ORDER BY created_at DESC LIMIT input.max) AS counted) AS newest`,
    [...keys.keys()],
    [...keys.values()],
    since,
  );
  return new Map(
    rows.map(({ key, counted, oldest }) => [
      key,
      { key, max: keys.get(key)!, counted, oldest: oldest ?? now },
    ]),
  );
}
