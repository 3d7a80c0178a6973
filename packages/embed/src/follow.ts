import { CheckoutError, isFinal } from './error.ts';
import {
  chargeUpdatedDocument,
  getStatus,
  type Session,
  sessionDocument,
  sessionUpdatedDocument,
} from './session.ts';
import type { Transport } from './transport.ts';

const delayMinMs = 1_000;
const delayMaxMs = 30_000;

type Update = { updatedAt: string; status: string; amountReceived?: string };

/**
 * Reads the session, and again after every change, until it is paid or has ended without a charge; from then on, only
 * when woken. An expired charge may still be paid. A live stream reports changes. If the stream fails, such as behind a
 * proxy that buffers it, the session is read at intervals. Throws errors after which a retry cannot succeed.
 */
export async function followSession(options: {
  transport: Transport;
  id: string;
  signal: AbortSignal;
  /** Returns a signal that is aborted when the session must be read again, as after a change on this page. */
  getWakeSignal: () => AbortSignal;
  onSession: (session: Session) => Promise<void>;
  onConnection: (isConnected: boolean) => void;
}): Promise<void> {
  const { transport, id, signal, getWakeSignal, onSession, onConnection } = options;
  for (let failureCount = 0; !signal.aborted; ) {
    const wake = AbortSignal.any([signal, getWakeSignal()]);
    try {
      const { session } = await transport.query<{ session: Session | null }>(sessionDocument, { id });
      if (!session) throw new CheckoutError('session_not_found', 'The token belongs to another session');
      failureCount = 0;
      if (signal.aborted) return;
      onConnection(true);
      await onSession(session);
      if (isOver(session)) await waitUntilAborted(wake);
      else if (!(await waitForChange(transport, session, wake))) await wait(delayMinMs, wake);
    } catch (error) {
      if (isFinal(error)) throw error;
      if (signal.aborted) return;
      failureCount += 1;
      onConnection(false);
      const delayMs = Math.min(delayMinMs * 2 ** (failureCount - 1), delayMaxMs);
      await wait(delayMs * (0.5 + Math.random() / 2), wake);
    }
  }
}

function isOver(session: Session): boolean {
  const status = getStatus(session);
  return status === 'completed' || (session.charge === null && status !== 'open');
}

/**
 * Returns true if the stream reported a change or `wake` is aborted; false if the connection ended or was silent for
 * too long.
 */
async function waitForChange(transport: Transport, session: Session, wake: AbortSignal): Promise<boolean> {
  const { charge } = session;
  const known: Update = charge ?? session;
  const changed = new AbortController();
  const onData = (data: unknown) => {
    const update = Object.values(data as Record<string, Update>)[0];
    const isKnown =
      update?.updatedAt === known.updatedAt &&
      update.status === known.status &&
      update.amountReceived === charge?.amountReceived;
    if (!isKnown) changed.abort();
  };
  const query = charge ? chargeUpdatedDocument : sessionUpdatedDocument;
  const signal = AbortSignal.any([wake, changed.signal]);
  try {
    await transport.stream(query, { id: (charge ?? session).id }, { onData, signal });
  } catch (error) {
    if (isFinal(error)) throw error;
  }
  return changed.signal.aborted || wake.aborted;
}

async function waitUntilAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
}

/** Waits; ends early if the browser is online again, the customer returns to the page, or the signal is aborted. */
function wait(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const ended = new AbortController();
    const end = () => {
      clearTimeout(timer);
      ended.abort();
      resolve();
    };
    const timer = setTimeout(end, delayMs);
    const options = { signal: ended.signal };
    addEventListener('online', end, options);
    document.addEventListener('visibilitychange', () => !document.hidden && end(), options);
    signal.addEventListener('abort', end, options);
    if (signal.aborted) end();
  });
}
