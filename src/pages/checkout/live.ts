import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Context } from '../../context.ts';
import { DomainError } from '../../kit/errors.ts';
import { watchObject } from '../../live/watch.ts';
import { pageNow } from '../page-now.ts';
import { liveTopic, pageState } from './state.ts';
import type { Subject } from './subject.ts';

/** Proxies close connections that say nothing for a minute. */
const heartbeatMs = 20_000;
/** How soon the browser connects again, in milliseconds. */
const retryMs = 1_000;

/**
 * Tells an open page its state, at once and after each change, as server-sent events `{ state, now }`, and the time anew
 * when the sandbox's clock is moved. A change of the session into a charge goes on with the charge. Ends when the browser
 * leaves, or has left already.
 */
export async function tellStates(
  context: Context,
  response: ServerResponse,
  open: () => Promise<Subject | undefined>,
): Promise<void> {
  // The socket is watched, not the answer: an answer that begins after the browser left, or waits behind another on the
  // same connection, is not told that it left.
  const { socket } = response.req;
  if (socket.destroyed) return;
  const leaving = new AbortController();
  const heartbeat = setInterval(() => response.write(':\n\n'), heartbeatMs);
  const leave = () => {
    clearInterval(heartbeat);
    leaving.abort();
  };
  socket.once('close', leave);
  response.write(`retry: ${retryMs}\n\n`);
  try {
    for await (const { state, now } of states(context, open, leaving.signal)) {
      const data = JSON.stringify({ state, now: now.getTime() });
      if (!response.write(`data: ${data}\n\n`)) await once(response, 'drain', { signal: leaving.signal });
    }
  } catch (error) {
    if (!leaving.signal.aborted) throw error;
  } finally {
    socket.off('close', leave);
    clearInterval(heartbeat);
    response.end();
  }
}

async function* states(
  context: Context,
  open: () => Promise<Subject | undefined>,
  signal: AbortSignal,
): AsyncGenerator<{ state: string; now: Date }> {
  let topics = topicsOf(await open());
  let told: { state: string; offset: bigint } | undefined;
  while (topics && !signal.aborted) {
    const [watched]: string[] = topics;
    const read = () => openOrNull(open);
    for await (const subject of watchObject(context.hub, { topic: topics, read, signal })) {
      if (signal.aborted) return;
      const now = pageNow(context, subject);
      const state = pageState(subject, now);
      const { testClockOffsetMs: offset } = subject.merchant;
      if (state !== told?.state || offset !== told.offset) yield { state, now };
      told = { state, offset };
      topics = topicsOf(subject);
      if (topics?.[0] !== watched) break;
    }
    if (topics?.[0] === watched) return;
  }
}

/** What an open page follows: its object, and in the sandbox the merchant, whose clock may be moved. */
function topicsOf(subject: Subject | undefined): string[] | undefined {
  const topic = subject && liveTopic(subject);
  if (!subject || topic === undefined) return undefined;
  return subject.mode === 'sandbox' ? [topic, subject.merchant.id] : [topic];
}

/** Null when it can no longer be opened: the stream ends. */
async function openOrNull(open: () => Promise<Subject | undefined>): Promise<Subject | null> {
  try {
    return (await open()) ?? null;
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}
