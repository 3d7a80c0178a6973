import type { MessageAudience, MessageChannel, Mode } from '../../prisma/client/client.ts';
import { announceChange } from '../event/announce-change.ts';
import type { Tx } from '../kit/db.ts';
import { newId } from '../kit/id.ts';
import { insertNewRows } from '../kit/insert-rows.ts';
import type { Secrets } from '../kit/secrets.ts';
import type { MessageLanguage } from './language.ts';
import type { MailContent } from './mail.ts';
import { firstState } from './message-state.ts';
import { type MessageContent, sealContent } from './sealed-content.ts';

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
  /** The machine's time: the test clock never moves messages. */
  now: Date;
} & ({ channel: 'email'; content: MailContent } | { channel: 'sms'; content: { text: string } });

/**
 * Writes an e-mail or SMS into the caller's transaction, to be sent by a worker once that has committed. Answers its id;
 * null when one with the same `dedupeKey` was made before.
 */
export async function enqueueMessage(
  service: { secrets: Secrets },
  tx: Tx,
  input: MessageInput,
): Promise<string | null> {
  const [id] = await enqueueMessages(service, tx, [input]);
  return id ?? null;
}

/** Many at once, in one statement. Answers the ids of those that were not made before. */
export async function enqueueMessages(
  { secrets }: { secrets: Secrets },
  tx: Tx,
  inputs: readonly MessageInput[],
): Promise<string[]> {
  const rows = inputs.map((input) => rowOf(input, secrets));
  const made = new Set(await insertNewRows(tx, 'message', rows));
  for (const { id, merchantId, mode, status } of rows) {
    // Only the workers look at it: a message without a merchant is nobody's to watch.
    if (made.has(id) && status === 'pending') announceChange(tx, { objectId: id, merchantId, mode });
  }
  return [...made];
}

function rowOf(input: MessageInput, secrets: Secrets) {
  const { merchantId, mode, now } = input;
  const status = firstState(input);
  const isPending = status === 'pending';
  return {
    id: newId('message', now),
    merchantId,
    mode,
    audience: input.audience,
    channel: input.channel,
    kind: input.kind,
    recipient: requireOneAddress(input.to, input.channel),
    language: input.language,
    dedupeKey: input.dedupeKey,
    ...columnsOf(input, secrets),
    status,
    nextAttemptAt: isPending ? now : null,
    finishedAt: isPending ? null : now,
    expiresAt: input.expiresAt ?? null,
    createdAt: now,
  };
}

function columnsOf(input: MessageInput, secrets: Secrets): { subject: string | null; contentSealed: string } {
  if (input.channel === 'sms') return { subject: null, contentSealed: sealContent(secrets, input.content) };
  const { subject, ...rest } = input.content;
  const content: MessageContent = rest;
  return { subject: oneLine(subject), contentSealed: sealContent(secrets, content) };
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
  const form = channel === 'email' ? /^[^\s@,;<>"]+@[^\s@,;<>"]+$/ : /^\+\d{5,15}$/;
  if (!form.test(to)) throw new Error(`a message of channel ${channel} needs one address`);
  return to;
}
