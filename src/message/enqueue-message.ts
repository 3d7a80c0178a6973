import type { Message, MessageAudience, MessageChannel, Mode } from '../../prisma/client/client.ts';
import { announceChange } from '../event/announce-change.ts';
import type { UnitOfWork } from '../event/unit-of-work.ts';
import type { MachineTime } from '../kit/clock.ts';
import type { Db } from '../kit/db.ts';
import { rateLimited } from '../kit/errors.ts';
import { newId } from '../kit/id.ts';
import { insertNewRows } from '../kit/insert-rows.ts';
import type { Secrets } from '../kit/secrets.ts';
import type { MessageLanguage } from './language.ts';
import { type LimitVerdict, limitMessages, type MessageTrigger } from './limit-messages.ts';
import type { MailContent } from './mail.ts';
import { encryptContent, type MessageContent } from './message-content.ts';
import { getInitialState } from './message-state.ts';
import { checkSmsNumber, type SmsCountries } from './sms-number.ts';

export type MessageInput = {
  /** Null, both, for what concerns the installation. */
  merchantId: string | null;
  mode: Mode | null;
  /**
   * `customer`: of the merchant; everybody at the merchant may see it in the dev mailbox, and in the sandbox it is never
   * really sent. `team`: those who run the account or the installation; only owners may see it.
   */
  audience: MessageAudience;
  /** What it is, in the words of its template's file: `refund-link`. */
  kind: string;
  /** E-mail address, or phone in E.164, checked by src/kit/contact.ts. */
  to: string;
  language: MessageLanguage;
  /**
   * Names what it tells of, such as `refund-link re_… 0`: a second message with the same key is not made, however often
   * and from wherever that is asked for.
   */
  dedupeKey: string;
  /** After that it is of no use, such as a code. */
  expiresAt?: Date;
  /** Decides its limits. */
  trigger: MessageTrigger;
  /**
   * What happens to a message beyond a limit. `reject`: the error `rate_limited`, for a caller who waits for the answer.
   * `skip` (the default): it is recorded as `skipped` with the reason, and the caller's transaction goes on.
   */
  atLimit?: 'reject' | 'skip';
  /** The machine's time: the test clock never moves messages. */
  now: MachineTime;
} & (
  | { channel: 'email'; content: MailContent }
  /** `allowed`: the merchant, whose countries SMS may go to. */
  | { channel: 'sms'; content: { text: string }; smsCountries: SmsCountries }
);

/** Messages are stored encrypted. */
type MessageService = Db & { secrets: Secrets };

export type EnqueuedMessage = Pick<Message, 'id' | 'dedupeKey' | 'status'>;

/**
 * Writes an e-mail or SMS into the caller's transaction, to be sent by a worker once that has committed. Returns its id;
 * null when one with the same `dedupeKey` exists. Errors: `rate_limited`, and `invalid_request` for a phone that may not
 * receive SMS.
 */
export async function enqueueMessage(
  uow: UnitOfWork<MessageService>,
  input: MessageInput,
): Promise<string | null> {
  const [message] = await enqueueMessages(uow, [input]);
  return message?.id ?? null;
}

/**
 * Many at once, in one statement: the one place where messages to people come into being, and their limits are checked.
 * Returns those that did not exist.
 */
export async function enqueueMessages(
  uow: UnitOfWork<MessageService>,
  inputs: readonly MessageInput[],
): Promise<EnqueuedMessage[]> {
  for (const input of inputs)
    if (input.channel === 'sms') checkSmsNumber(input.to, '/phone', input.smsCountries);
  const verdicts = inputs[0] ? await limitMessages(uow.tx, inputs, inputs[0].now) : [];
  const rows = inputs.map((input, i) => toMessageRow(input, verdicts[i]!, uow.secrets));
  const inserted = new Set(await insertNewRows(uow.tx, 'message', rows));
  const enqueued = rows.filter(({ id }) => inserted.has(id));
  for (const { id, merchantId, mode, status } of enqueued) {
    // Only the workers look at it: a message without a merchant is nobody's to watch.
    if (status === 'pending') announceChange(uow, { objectId: id, merchantId, mode });
  }
  return enqueued;
}

function toMessageRow(input: MessageInput, verdict: LimitVerdict, secrets: Secrets) {
  const { merchantId, mode, now } = input;
  if (!verdict.isAllowed && input.atLimit === 'reject')
    throw rateLimited(verdict.reason, verdict.retryAfterSeconds);
  const status = verdict.isAllowed ? getInitialState(input) : 'skipped';
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
    recipient: requireOneAddress(input.to, input.channel),
    language: input.language,
    dedupeKey: input.dedupeKey,
    subject,
    contentEncrypted: verdict.isAllowed ? contentEncrypted : null,
    status,
    lastError: verdict.isAllowed ? null : verdict.reason,
    recipientLimit: verdict.isAllowed ? verdict.recipientLimit : null,
    merchantLimit: verdict.isAllowed ? verdict.merchantLimit : null,
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
  if (input.channel === 'sms')
    return { subject: null, contentEncrypted: encryptContent(secrets, id, input.content) };
  const { subject, ...rest } = input.content;
  const content: MessageContent = rest;
  return { subject: oneLine(subject), contentEncrypted: encryptContent(secrets, id, content) };
}

/** A subject becomes a header: nothing in it may begin a new one. */
function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, 200)
    .toWellFormed();
}

/** A fault of ours, not the caller's: addresses are checked where they come in. */
function requireOneAddress(to: string, channel: MessageChannel): string {
  const pattern = channel === 'email' ? /^[^\s@,;<>"]+@[^\s@,;<>"]+$/ : /^\+\d{5,15}$/;
  if (!pattern.test(to))
    throw new Error(`a message of channel ${channel} must have exactly one valid address`);
  return to;
}
