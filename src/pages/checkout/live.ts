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
 * Tells an open page its state, at once and after each change, as server-sent events `{ state, now }`. A change of the
 * session into a charge goes on with the charge. Ends when the browser leaves.
 */
export async function tellStates(
  context: Context,
  response: ServerResponse,
  open: () => Promise<Subject | undefined>,
): Promise<void> {
  const leaving = new AbortController();
  response.on('close', () => leaving.abort());
  const heartbeat = setInterval(() => response.write(':\n\n'), heartbeatMs);
  response.write(`retry: ${retryMs}\n\n`);
  try {
    for await (const { state, now } of states(context, open, leaving.signal)) {
      const data = JSON.stringify({ state, now: now.getTime() });
      if (!response.write(`data: ${data}\n\n`)) await once(response, 'drain', { signal: leaving.signal });
    }
  } catch (error) {
    if (!leaving.signal.aborted) throw error;
  } finally {
    clearInterval(heartbeat);
    response.end();
  }
}

async function* states(
  context: Context,
  open: () => Promise<Subject | undefined>,
  signal: AbortSignal,
): AsyncGenerator<{ state: string; now: Date }> {
  let topic = await readTopic(open);
  let told: string | undefined;
  while (topic !== undefined && !signal.aborted) {
    const watched: string = topic;
    const read = () => openOrNull(open);
    for await (const subject of watchObject(context.hub, { topic: watched, read, signal })) {
      const now = pageNow(context, subject);
      const state = pageState(subject, now);
      if (state !== told) yield { state, now };
      told = state;
      topic = liveTopic(subject);
      if (topic !== watched) break;
    }
    if (topic === watched) return;
  }
}

async function readTopic(open: () => Promise<Subject | undefined>): Promise<string | undefined> {
  const subject = await open();
  return subject && liveTopic(subject);
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
