import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Context } from '../../context.ts';
import { DomainError } from '../../kit/errors.ts';
import { watchObject } from '../../live/watch.ts';
import { pageNow } from '../page-now.ts';
import type { CheckoutTarget } from './checkout-target.ts';
import { getLiveTopic, getStateKey } from './state.ts';

/** Many proxies close a connection that has been silent for a minute. */
const heartbeatMs = 20_000;
const retryMs = 1_000;

/**
 * Streams server-sent events `{ state, now }` with the state key of a page and the merchant's time: one immediately,
 * and one whenever the key changes or the sandbox's test clock moves. When a session gets a charge, the stream
 * continues with the charge. The stream ends when the browser disconnects or the page can no longer be opened.
 */
export async function streamStates(
  context: Context,
  response: ServerResponse,
  open: () => Promise<CheckoutTarget | undefined>,
): Promise<void> {
  // Listens to the socket: the response emits no `close` if it starts after the browser has disconnected, or
  // while it is queued behind another response on the same connection.
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
      const state = getStateKey(target, now);
      const { testClockOffsetMs: offset } = target.merchant;
      if (state !== lastSent?.state || offset !== lastSent.offset) yield { state, now };
      lastSent = { state, offset };
      topics = getTopics(target);
      if (topics?.[0] !== watchedTopic) break;
    }
    if (topics?.[0] === watchedTopic) return;
  }
}

/** Pages of the sandbox also watch the merchant, whose test clock may move. */
function getTopics(target: CheckoutTarget | undefined): string[] | undefined {
  const topic = target && getLiveTopic(target);
  if (!target || topic === undefined) return undefined;
  return target.mode === 'sandbox' ? [topic, target.merchant.id] : [topic];
}

/** Returns null if the target can no longer be opened, which ends the stream. */
async function openOrNull(open: () => Promise<CheckoutTarget | undefined>): Promise<CheckoutTarget | null> {
  try {
    return (await open()) ?? null;
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}
