import type { MessageChannel } from '../../prisma/client/client.ts';
import type { Clock } from '../kit/clock.ts';
import type { Db } from '../kit/db.ts';
import { minuteMs } from '../kit/duration.ts';
import type { Secrets } from '../kit/secrets.ts';
import { timedOut, withTimeout } from '../kit/with-timeout.ts';
import { claimMessages, type MessageClaim } from './claim-messages.ts';
import { decryptContent } from './message-content.ts';
import { getNextState, type MessageNextState, type SendResult } from './message-state.ts';
import type { Messenger } from './messenger.ts';
import type { MessageSender } from './sender.ts';
import { startClaimRenewal } from './start-claim-renewal.ts';
import { transitionMessage } from './transition-message.ts';

/** Renewed while a message is being sent, so that only the claim of a killed process expires. */
const defaultClaimMs = minuteMs;
/** The next messages wait this long for a response, so that a fast server is not sent more at once. */
const defaultAnswerWaitMs = 2_000;
/** Messages claimed and sent concurrently. */
const batchSize = 5;

export type SendOptions = {
  channel: MessageChannel;
  messenger: Messenger;
  clock: Clock;
  signal: AbortSignal;
  /** Receives permanently failed messages and internal errors. */
  onError: (error: Error) => void;
  claimMs?: number;
  answerWaitMs?: number;
};

/**
 * Sends the due messages of a channel until none is left or the signal aborts. A server's slow final response
 * is not awaited: it joins `messenger.pendingAnswers` while other messages are sent. Without a server for the
 * channel, messages go to the dev mailbox. Any number of processes share the work.
 */
export async function sendMessages(service: Db & { secrets: Secrets }, options: SendOptions): Promise<void> {
  const { channel, messenger, clock, signal, claimMs = defaultClaimMs } = options;
  const { pendingAnswers, [channel]: sender } = messenger;
  const context = {
    answerWaitMs: defaultAnswerWaitMs,
    ...options,
    sender,
    secrets: service.secrets,
    claimMs,
  };
  const aborted = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  while (!signal.aborted) {
    const limit = Math.min(batchSize, sender?.capacity() ?? batchSize);
    if (limit === 0) {
      await Promise.race([...pendingAnswers, aborted]);
      continue;
    }
    const now = clock.now();
    const until = new Date(now.getTime() + claimMs);
    const claims = await claimMessages(service, { channel, now, until, limit });
    if (claims.length === 0) return;
    await Promise.all(claims.map((claim) => handOver(service, context, { claim, pendingAnswers })));
  }
}

type SendContext = {
  sender: MessageSender | undefined;
  secrets: Secrets;
  clock: Clock;
  claimMs: number;
  answerWaitMs: number;
  onError: (error: Error) => void;
};

/** Settles when the message has been handled, or when its server has received it but responds slowly. */
async function handOver(
  db: Db,
  context: SendContext,
  { claim, pendingAnswers }: { claim: MessageClaim; pendingAnswers: Set<Promise<void>> },
): Promise<void> {
  const { promise: transmitted, resolve: onTransmitted } = Promise.withResolvers<void>();
  const sending = sendMessage(db, context, { claim, onTransmitted });
  await Promise.race([sending, transmitted]);
  if ((await withTimeout(context.answerWaitMs, sending)) !== timedOut) return;
  const answer = sending.catch(context.onError).finally(() => pendingAnswers.delete(answer));
  pendingAnswers.add(answer);
}

async function sendMessage(
  db: Db,
  context: SendContext,
  { claim, onTransmitted }: { claim: MessageClaim; onTransmitted: () => void },
): Promise<void> {
  const renewal = startClaimRenewal(db, claim, context);
  const { next, isAttempt } = await attemptSend(context, claim, onTransmitted);
  await transitionMessage(db, { claim: await renewal.end(), next, isAttempt, now: context.clock.now() });
  if (next.status === 'failed') context.onError(new Error(`message ${claim.id} failed: ${next.error}`));
}

/** Never rejects. */
async function attemptSend(
  context: SendContext,
  claim: MessageClaim,
  onTransmitted: () => void,
): Promise<{ next: MessageNextState; isAttempt: boolean }> {
  const { sender, secrets, clock, onError } = context;
  if (!sender) return { next: { status: 'captured' }, isAttempt: false };
  if (claim.expiresAt && claim.expiresAt <= clock.now()) {
    return { next: { status: 'failed', error: 'expired before it could be sent' }, isAttempt: false };
  }
  const { id, recipient, subject, language } = claim;
  // Internal errors count as failed attempts, so that a broken message is not retried forever.
  const result = await decryptContent(secrets, claim)
    .then((content) => sender.send({ id, recipient, subject, language, ...content }, onTransmitted))
    .catch((error: Error): SendResult => {
      onError(error);
      return {
        isSent: false,
        error: 'the message could not be created',
        isPermanent: false,
        retryAfterMs: null,
      };
    });
  const { expiresAt } = claim;
  const attemptCount = claim.attemptCount + 1;
  const next = getNextState(result, { attemptCount, expiresAt, now: clock.now(), random: Math.random() });
  return { next, isAttempt: true };
}
