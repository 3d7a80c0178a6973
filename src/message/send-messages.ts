import type { MessageChannel } from '../../prisma/client/client.ts';
import type { Clock } from '../kit/clock.ts';
import type { Db } from '../kit/db.ts';
import { minuteMs } from '../kit/duration.ts';
import { getLeaseEnd, startLeaseRenewal } from '../kit/lease.ts';
import type { Secrets } from '../kit/secrets.ts';
import { timedOut, withTimeout } from '../kit/with-timeout.ts';
import { claimMessages, type MessageClaim } from './claim-messages.ts';
import { logoContentId } from './mail-layout.ts';
import { decryptContent, type MessageContent } from './message-content.ts';
import { getNextState, type MessageNextState, type SendResult } from './message-state.ts';
import type { Messenger } from './messenger.ts';
import type { MessageSender } from './sender.ts';
import { transitionMessage } from './transition-message.ts';

/** Leases are renewed while a message is being sent, so that only those of a killed process expire. */
const defaultLeaseMs = minuteMs;
/**
 * How long the next batch waits for slow responses. A server that responds faster gets at most one batch at a time.
 */
const defaultResponseWaitMs = 2_000;
/** The number of messages that are claimed and sent concurrently. */
const batchSize = 5;

type SendOptions = {
  channel: MessageChannel;
  messenger: Messenger;
  clock: Clock;
  signal: AbortSignal;
  /** Called with an error for each permanently failed message, and with internal errors. */
  onError: (error: Error) => void;
  leaseMs?: number;
  responseWaitMs?: number;
};

/**
 * Sends the due messages of a channel until none is left or the signal aborts. A slow final response of
 * the server is not awaited, but added to `messenger.pendingResponses`, while other messages are sent. Without a
 * server for the channel, messages are captured and not sent. Several processes can run this at the same time.
 */
export async function sendMessages(service: Db & { secrets: Secrets }, options: SendOptions): Promise<void> {
  const { channel, messenger, clock, signal, leaseMs = defaultLeaseMs } = options;
  const { pendingResponses, [channel]: sender } = messenger;
  const context = {
    responseWaitMs: defaultResponseWaitMs,
    ...options,
    sender,
    secrets: service.secrets,
    leaseMs,
  };
  const aborted = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  while (!signal.aborted) {
    const limit = Math.min(batchSize, sender?.capacity() ?? batchSize);
    if (limit === 0) {
      await Promise.race([...pendingResponses, aborted]);
      continue;
    }
    const now = clock.now();
    const until = getLeaseEnd(now, leaseMs);
    const claims = await claimMessages(service, { channel, now, until, limit });
    if (claims.length === 0) return;
    await Promise.all(claims.map((claim) => startSending(service, context, { claim, pendingResponses })));
  }
}

type SendContext = {
  sender: MessageSender | undefined;
  secrets: Secrets;
  clock: Clock;
  leaseMs: number;
  responseWaitMs: number;
  onError: (error: Error) => void;
};

/** Settles when the message has been handled, or when its server may have received it but responds slowly. */
async function startSending(
  db: Db,
  context: SendContext,
  { claim, pendingResponses }: { claim: MessageClaim; pendingResponses: Set<Promise<void>> },
): Promise<void> {
  const { promise: transmitted, resolve: onTransmitted } = Promise.withResolvers<void>();
  const sending = sendMessage(db, context, { claim, onTransmitted });
  await Promise.race([sending, transmitted]);
  if ((await withTimeout(context.responseWaitMs, sending)) !== timedOut) return;
  const response = sending.catch(context.onError).finally(() => pendingResponses.delete(response));
  pendingResponses.add(response);
}

async function sendMessage(
  db: Db,
  context: SendContext,
  { claim, onTransmitted }: { claim: MessageClaim; onTransmitted: () => void },
): Promise<void> {
  const renewal = startLeaseRenewal(claim, {
    ...context,
    renew: async (lease, leasedUntil) => {
      const where = { id: claim.id, status: 'pending', ...lease } as const;
      return (await db.prisma.message.updateMany({ where, data: { leasedUntil } })).count === 1;
    },
  });
  const { next, isAttempt } = await attemptSend(db, context, { claim, onTransmitted });
  const { leasedUntil } = await renewal.end();
  await transitionMessage(db, {
    claim: { ...claim, leasedUntil },
    next,
    isAttempt,
    now: context.clock.now(),
  });
  if (next.status === 'failed') context.onError(new Error(`message ${claim.id} failed: ${next.error}`));
}

/** Returns the merchant's current logo if the email shows one. */
async function findLogo(
  db: Db,
  { merchantId }: MessageClaim,
  { html }: MessageContent,
): Promise<Buffer | undefined> {
  if (merchantId === null || !html?.includes(`src="cid:${logoContentId}"`)) return undefined;
  const logo = await db.prisma.merchantLogo.findUnique({ where: { merchantId } });
  return logo ? Buffer.from(logo.bytes) : undefined;
}

/** Sends a message, unless it has expired, and returns its next state. The promise never rejects. */
async function attemptSend(
  db: Db,
  context: SendContext,
  { claim, onTransmitted }: { claim: MessageClaim; onTransmitted: () => void },
): Promise<{ next: MessageNextState; isAttempt: boolean }> {
  const { sender, secrets, clock, onError } = context;
  if (!sender) return { next: { status: 'captured' }, isAttempt: false };
  if (claim.expiresAt && claim.expiresAt <= clock.now()) {
    return { next: { status: 'failed', error: 'expired before it could be sent' }, isAttempt: false };
  }
  const { id, recipient, subject, language } = claim;
  // Internal errors count as failed attempts, so that a broken message is not retried forever.
  const result = await decryptContent(secrets, claim)
    .then(async (content) => {
      const logo = await findLogo(db, claim, content);
      return sender.send({ id, recipient, subject, language, ...content, logo }, onTransmitted);
    })
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
