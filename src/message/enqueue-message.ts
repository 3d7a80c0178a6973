import type { Message, MessageAudience, MessageChannel, Mode } from '../../prisma/client/client.ts';
import { announceChange } from '../event/announce-change.ts';
import type { UnitOfWork } from '../event/unit-of-work.ts';
import type { SystemTime } from '../kit/clock.ts';
import type { Db, Tx } from '../kit/db.ts';
import { rateLimitedError } from '../kit/errors.ts';
import { newId } from '../kit/id.ts';
import { insertNewRows } from '../kit/insert-rows.ts';
import type { Secrets } from '../kit/secrets.ts';
import type { Language } from '../language/languages.ts';
import { type LimitVerdict, limitMessages, type MessageTrigger } from './limit-messages.ts';
import type { MailContent } from './mail.ts';
import { encryptContent, type MessageContent } from './message-content.ts';
import type { MessageKind } from './message-kinds.ts';
import { getInitialStatus } from './message-state.ts';
import { checkSmsNumber, type SmsCountries } from './sms-number.ts';

export type MessageInput = {
  /** `merchantId` and `mode` are null for messages about the installation. */
  merchantId: string | null;
  mode: Mode | null;
  /**
   * `customer`: sent to a customer of the merchant, but never in the sandbox; callers with the permission `read` see
   * it. `staff`: sent to users of the account or operators; only owners see it.
   */
  audience: MessageAudience;
  kind: MessageKind;
  /** An email address, a phone number in E.164, validated by src/kit/contact.ts, or the host of a chat. */
  to: string;
  language: Language;
  /** Identifies the message, for example `refund-link re_… 0`. A second message with the same key is not created. */
  dedupeKey: string;
  /** When the message becomes useless, for example because its code expires. */
  expiresAt?: Date;
  /** The cause of the message, which decides its limits. */
  trigger: MessageTrigger;
  /**
   * Behavior when a limit is exceeded. `reject` throws `rate_limited`, for callers who wait for the result.
   * `skip` (the default) records the message as `skipped` with the reason, and the transaction continues.
   */
  atLimit?: 'reject' | 'skip';
  /** The system time: test clocks never affect messages. */
  now: SystemTime;
} & (
  | { channel: 'email'; content: MailContent }
  /** `smsCountries` are the merchant's additional countries. */
  | { channel: 'sms'; content: { text: string }; smsCountries: SmsCountries }
  /** `chatUrl` is a secret, so it is part of the encrypted content. */
  | { channel: 'chat'; content: { text: string; chatUrl: string } }
);

export type MessageService = Db & { secrets: Secrets };

type EnqueuedMessage = Pick<Message, 'id' | 'dedupeKey' | 'status'>;

/**
 * Writes a message in the caller's transaction; a worker sends it after the commit. Returns the ID of
 * the message, or null if a message with the same `dedupeKey` exists.
 */
export async function enqueueMessage(
  uow: UnitOfWork<MessageService>,
  input: MessageInput,
): Promise<string | null> {
  const [message] = await enqueueMessages(uow, [input]);
  return message?.id ?? null;
}

/**
 * Writes several messages in one statement, and returns the new ones. This is the only function that creates
 * messages and checks their limits.
 */
export async function enqueueMessages(
  uow: UnitOfWork<MessageService>,
  inputs: readonly MessageInput[],
): Promise<EnqueuedMessage[]> {
  for (const input of inputs)
    if (input.channel === 'sms') checkSmsNumber(input.to, '/phone', input.smsCountries);
  const verdicts = inputs[0] ? await limitMessages(uow.tx, inputs, inputs[0].now) : [];
  const rows = inputs.map((input, i) => toMessageRow(input, verdicts[i]!, uow.secrets));
  const insertedIds = new Set(await insertNewRows(uow.tx, 'message', rows));
  const enqueued = rows.filter(({ id }) => insertedIds.has(id));
  for (const { id, merchantId, mode, status } of enqueued) {
    // Messages without a merchant are announced too, because all workers listen for messages.
    if (status === 'pending') announceChange(uow, { objectId: id, merchantId, mode });
  }
  return enqueued;
}

function toMessageRow(input: MessageInput, verdict: LimitVerdict, secrets: Secrets) {
  const { merchantId, mode, now } = input;
  if (!verdict.isAllowed && input.atLimit === 'reject')
    throw rateLimitedError(verdict.reason, verdict.retryAfterSeconds);
  const status = verdict.isAllowed ? getInitialStatus(input) : 'skipped';
  const isPending = status === 'pending';
  const id = newId('message', now);
  const { subject, contentEncrypted } = toContentColumns(input, { id, secrets });
  return {
    id,
    merchantId,
    mode,
    audience: input.audience,
    channel: input.channel,
    kind: input.kind,
    recipient: requireValidRecipient(input.to, input.channel),
    language: input.language,
    dedupeKey: input.dedupeKey,
    subject,
    contentEncrypted: verdict.isAllowed ? contentEncrypted : null,
    status,
    lastError: verdict.isAllowed ? null : verdict.reason,
    recipientLimitKey: verdict.isAllowed ? verdict.recipientLimitKey : null,
    merchantLimitKey: verdict.isAllowed ? verdict.merchantLimitKey : null,
    nextAttemptAt: isPending ? now : null,
    finishedAt: isPending ? null : now,
    expiresAt: input.expiresAt ?? null,
    createdAt: now,
  };
}

function toContentColumns(
  input: MessageInput,
  { id, secrets }: { id: string; secrets: Secrets },
): { subject: string | null; contentEncrypted: string } {
  if (input.channel !== 'email')
    return { subject: null, contentEncrypted: encryptContent(secrets, id, input.content) };
  const { subject, ...rest } = input.content;
  const content: MessageContent = rest;
  return { subject: toOneLine(subject), contentEncrypted: encryptContent(secrets, id, content) };
}

/** Removes line breaks from a subject, because it becomes a header. */
function toOneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, 200)
    .toWellFormed();
}

const recipientPatterns: Record<MessageChannel, RegExp> = {
  email: /^[^\s@,;<>"]+@[^\s@,;<>"]+$/,
  sms: /^\+\d{5,15}$/,
  chat: /^[^\s/@]+$/,
};

/** Throws a plain `Error`: recipients are validated at input, so an invalid one is a bug. */
function requireValidRecipient(to: string, channel: MessageChannel): string {
  if (!recipientPatterns[channel].test(to))
    throw new Error(`a message of channel ${channel} must have exactly one valid address`);
  return to;
}

/**
 * Deletes pending messages whose content is no longer true. A message that a worker is already sending is still sent.
 */
export async function withdrawMessages(tx: Tx, dedupeKeys: readonly string[], now: Date): Promise<void> {
  const pending = { dedupeKey: { in: [...dedupeKeys] }, status: 'pending' as const };
  const isUnclaimed = [{ leasedUntil: null }, { leasedUntil: { lte: now } }];
  await tx.message.deleteMany({ where: { ...pending, OR: isUnclaimed } });
  // If the running attempt fails, the message is not retried.
  await tx.message.updateMany({ where: pending, data: { expiresAt: now } });
}
