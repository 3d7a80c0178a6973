import type { MessageChannel } from '../../prisma/client/client.ts';
import type { Clock } from '../kit/clock.ts';
import type { Db } from '../kit/db.ts';
import type { Secrets } from '../kit/secrets.ts';
import { claimMessages, type MessageClaim } from './claim-messages.ts';
import { type NextState, nextState, type SendResult } from './message-state.ts';
import type { Messenger } from './messenger.ts';
import { unsealContent } from './sealed-content.ts';
import type { Sender } from './sender.ts';
import { transitionMessage } from './transition-message.ts';

/** Well above what an attempt may take, so that only the claim of a killed process runs out. */
const claimMs = 60_000;
/** Handed over side by side. */
const batchSize = 5;

export type SendOptions = {
  channel: MessageChannel;
  messenger: Messenger;
  clock: Clock;
  signal: AbortSignal;
  /** Told of messages that are given up, and of faults of our own. */
  onFault: (error: Error) => void;
};

/**
 * Sends what is due on a channel until nothing is, or the signal comes. Without a server for the channel, messages are
 * left to the dev mailbox. Any number of processes share the work.
 */
export async function sendMessages(
  service: Db & { secrets: Secrets },
  { channel, messenger, clock, signal, onFault }: SendOptions,
): Promise<void> {
  const tools = { sender: messenger[channel], secrets: service.secrets, clock, onFault };
  while (!signal.aborted) {
    const now = clock.now();
    const until = new Date(now.getTime() + claimMs);
    const claims = await claimMessages(service, { channel, now, until, limit: batchSize });
    if (claims.length === 0) return;
    await Promise.all(
      claims.map(async (claim) => {
        const { next, isAttempt } = await attempt(tools, claim);
        await transitionMessage(service, { claim, next, isAttempt, now: clock.now() });
        if (next.status === 'failed') onFault(new Error(`message ${claim.id} is given up: ${next.error}`));
      }),
    );
  }
}

type Tools = {
  sender: Sender | undefined;
  secrets: Secrets;
  clock: Clock;
  onFault: (error: Error) => void;
};

async function attempt(tools: Tools, claim: MessageClaim): Promise<{ next: NextState; isAttempt: boolean }> {
  const { sender, secrets, clock, onFault } = tools;
  if (!sender) return { next: { status: 'mailbox' }, isAttempt: false };
  if (claim.expiresAt && claim.expiresAt <= clock.now()) {
    return { next: { status: 'failed', error: 'it was of no use any more' }, isAttempt: false };
  }
  const { id, recipient, subject, language, contentSealed } = claim;
  // Faults of our own count as failed attempts, so that one broken message is not tried for ever.
  const result = await Promise.try(() =>
    sender.send({ id, recipient, subject, language, ...unsealContent(secrets, contentSealed) }),
  ).catch((error: Error): SendResult => {
    onFault(error);
    return {
      isSent: false,
      error: 'the message could not be made',
      isPermanent: false,
      retryAfterMs: null,
    };
  });
  const { expiresAt } = claim;
  const attemptsMade = claim.attemptsMade + 1;
  const next = nextState(result, { attemptsMade, expiresAt, now: clock.now(), random: Math.random() });
  return { next, isAttempt: true };
}
