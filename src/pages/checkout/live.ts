import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Context } from '../../context.ts';
import { DomainError } from '../../kit/errors.ts';
import { watchObject } from '../../live/watch.ts';
import { pageNow } from '../page-now.ts';
import type { CheckoutTarget } from './checkout-target.ts';
import { getLiveTopic, getPageState } from './state.ts';

/** Proxies close connections that say nothing for a minute. */
const heartbeatMs = 20_000;
/** How soon the browser connects again, in milliseconds. */
const retryMs = 1_000;

/**
 * Tells an open page its state, at once and after each change, as server-sent events `{ state, now }`, and the time anew
 * when the sandbox's clock is moved. A change of the session into a charge goes on with the charge. Ends when the browser
 * leaves, or has left already.
 */
export async function streamStates(
  context: Context,
  response: ServerResponse,
  open: () => Promise<CheckoutTarget | undefined>,
): Promise<void> {
  // The socket is watched, not the answer: an answer that begins after the browser left, or waits behind another on the
  // same connection, is not told that it left.
  const { socket } = response.req;
  if (socket.destroyed) return;
  const abortController = new AbortController();
  const heartbeat = setInterval(() => response.write(':\n\n'), heartbeatMs);
  const handleClose = () => {
    clearInterval(heartbeat);
    abortController.abort();
  };
  socket.once('close', handleClose);
  response.write(`retry: ${retryMs}\n\n`);
  try {
    for await (const { state, now } of watchStates(context, open, abortController.signal)) {
      const data = JSON.stringify({ state, now: now.getTime() });
      if (!response.write(`data: ${data}\n\n`))
        await once(response, 'drain', { signal: abortController.signal });
    }
  } catch (error) {
    if (!abortController.signal.aborted) throw error;
  } finally {
    socket.off('close', handleClose);
    clearInterval(heartbeat);
    response.end();
  }
}

async function* watchStates(
  context: Context,
  open: () => Promise<CheckoutTarget | undefined>,
  signal: AbortSignal,
): AsyncGenerator<{ state: string; now: Date }> {
  let topics = getTopics(await open());
  let lastSent: { state: string; offset: bigint } | undefined;
  while (topics && !signal.aborted) {
    const [watchedTopic]: string[] = topics;
    const read = () => openOrNull(open);
    for await (const target of watchObject(context.hub, { topic: topics, read, signal })) {
      if (signal.aborted) return;
      const now = pageNow(context, target);
      const state = getPageState(target, now);
      const { testClockOffsetMs: offset } = target.merchant;
      if (state !== lastSent?.state || offset !== lastSent.offset) yield { state, now };
      lastSent = { state, offset };
      topics = getTopics(target);
      if (topics?.[0] !== watchedTopic) break;
    }
    if (topics?.[0] === watchedTopic) return;
  }
}

/** What an open page follows: its object, and in the sandbox the merchant, whose clock may be moved. */
function getTopics(target: CheckoutTarget | undefined): string[] | undefined {
  const topic = target && getLiveTopic(target);
  if (!target || topic === undefined) return undefined;
  return target.mode === 'sandbox' ? [topic, target.merchant.id] : [topic];
}

/** Null when it can no longer be opened: the stream ends. */
async function openOrNull(open: () => Promise<CheckoutTarget | undefined>): Promise<CheckoutTarget | null> {
  try {
    return (await open()) ?? null;
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}
