import type { MessageChannel } from '../../prisma/client/client.ts';
import type { Clock } from '../kit/clock.ts';
import type { Db } from '../kit/db.ts';
import { minuteMs } from '../kit/duration.ts';
import { inTime, late } from '../kit/in-time.ts';
import type { Secrets } from '../kit/secrets.ts';
import { claimMessages, type MessageClaim } from './claim-messages.ts';
import { keepClaim } from './keep-claim.ts';
import { decryptContent } from './message-content.ts';
import { type NextState, nextState, type SendResult } from './message-state.ts';
import type { Messenger } from './messenger.ts';
import type { Sender } from './sender.ts';
import { transitionMessage } from './transition-message.ts';

/** Renewed while a message is being sent, so that only the claim of a killed process runs out. */
const defaultClaimMs = minuteMs;
/** An answer that comes within that keeps the next messages waiting: a quick server then gets no more at once. */
const defaultPatienceMs = 2_000;
/** Handed over side by side. */
const batchSize = 5;

export type SendOptions = {
  channel: MessageChannel;
  messenger: Messenger;
  clock: Clock;
  signal: AbortSignal;
  /** Told of messages that are given up, and of faults of our own. */
  onFault: (error: Error) => void;
  claimMs?: number;
  patienceMs?: number;
};

/**
 * Sends what is due on a channel until nothing is, or the signal comes. What a server has whole and does not answer for
 * soon is not waited for: it is among the messenger's `unanswered`, and others go on. Without a server for the channel,
 * messages are left to the dev mailbox. Any number of processes share the work.
 */
export async function sendMessages(service: Db & { secrets: Secrets }, options: SendOptions): Promise<void> {
  const { channel, messenger, clock, signal, claimMs = defaultClaimMs } = options;
  const { unanswered, [channel]: sender } = messenger;
  const tools = { patienceMs: defaultPatienceMs, ...options, sender, secrets: service.secrets, claimMs };
  const aborted = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  while (!signal.aborted) {
    const limit = Math.min(batchSize, sender?.room() ?? batchSize);
    if (limit === 0) {
      await Promise.race([...unanswered, aborted]);
      continue;
    }
    const now = clock.now();
    const until = new Date(now.getTime() + claimMs);
    const claims = await claimMessages(service, { channel, now, until, limit });
    if (claims.length === 0) return;
    await Promise.all(claims.map((claim) => handOver(service, tools, { claim, unanswered })));
  }
}

type Tools = {
  sender: Sender | undefined;
  secrets: Secrets;
  clock: Clock;
  claimMs: number;
  patienceMs: number;
  onFault: (error: Error) => void;
};

/** Settles when the message has gone where it goes, or its server has it whole and is slow: that is waited for apart. */
async function handOver(
  db: Db,
  tools: Tools,
  { claim, unanswered }: { claim: MessageClaim; unanswered: Set<Promise<void>> },
): Promise<void> {
  const { promise: isWhole, resolve: onWhole } = Promise.withResolvers<void>();
  const ended = sendOne(db, tools, { claim, onWhole });
  await Promise.race([ended, isWhole]);
  if ((await inTime(tools.patienceMs, ended)) !== late) return;
  const answered = ended.catch(tools.onFault).finally(() => unanswered.delete(answered));
  unanswered.add(answered);
}

async function sendOne(
  db: Db,
  tools: Tools,
  { claim, onWhole }: { claim: MessageClaim; onWhole: () => void },
): Promise<void> {
  const kept = keepClaim(db, claim, tools);
  const { next, isAttempt } = await attempt(tools, claim, onWhole);
  await transitionMessage(db, { claim: await kept.end(), next, isAttempt, now: tools.clock.now() });
  if (next.status === 'failed') tools.onFault(new Error(`message ${claim.id} failed: ${next.error}`));
}

/** Never rejects. */
async function attempt(
  tools: Tools,
  claim: MessageClaim,
  onWhole: () => void,
): Promise<{ next: NextState; isAttempt: boolean }> {
  const { sender, secrets, clock, onFault } = tools;
  if (!sender) return { next: { status: 'mailbox' }, isAttempt: false };
  if (claim.expiresAt && claim.expiresAt <= clock.now()) {
    return { next: { status: 'failed', error: 'expired before it could be sent' }, isAttempt: false };
  }
  const { id, recipient, subject, language } = claim;
  // Faults of our own count as failed attempts, so that one broken message is not tried for ever.
  const result = await decryptContent(secrets, claim)
    .then((content) => sender.send({ id, recipient, subject, language, ...content }, onWhole))
    .catch((error: Error): SendResult => {
      onFault(error);
      return {
        isSent: false,
        error: 'the message could not be created',
        isPermanent: false,
        retryAfterMs: null,
      };
    });
  const { expiresAt } = claim;
  const attemptsMade = claim.attemptsMade + 1;
  const next = nextState(result, { attemptsMade, expiresAt, now: clock.now(), random: Math.random() });
  return { next, isAttempt: true };
}
