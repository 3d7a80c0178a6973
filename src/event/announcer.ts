import pg from 'pg';
import { noticeChannel } from './notice.ts';

/** At most one NOTIFY in this time under load; at once when idle. */
const coalesceMs = 5;
/** PostgreSQL takes payloads below 8,000 bytes. */
const payloadLimit = 7_800;
/** While the connection is away: how often to try, and how many notices to keep. They are hints; the sweep finds all. */
const reconnectMs = 500;
const queueLimit = 10_000;

export type Announcer = { announce: (notice: string) => void; stop: () => Promise<void> };

/**
 * Sends notices over one connection of its own. A NOTIFY inside the transaction of the change would serialise commits
 * over the whole database.
 */
export function startAnnouncer(connectionString: string, onError: (error: Error) => void): Announcer {
  const connection = keepConnection(connectionString, onError);
  let queue: string[] = [];
  let cancel: (() => void) | undefined;
  let sending: Promise<void> = Promise.resolve();
  let stopped = false;

  const send = async (): Promise<void> => {
    const batch = takeBatch(queue);
    try {
      await (await connection.open()).query('SELECT pg_notify($1, $2)', [noticeChannel, batch.join('\n')]);
      queue = queue.slice(batch.length);
    } catch (error) {
      connection.forget();
      onError(error as Error);
      await new Promise((resolve) => setTimeout(resolve, stopped ? 0 : reconnectMs));
      if (stopped) queue = [];
    }
  };

  const go = (): void => {
    cancel = undefined;
    sending = send().then(() => {
      if (queue.length > 0 && !cancel) scheduleNext();
    });
  };
  /** With whatever else is told in this turn. */
  const scheduleFirst = (): void => {
    const immediate = setImmediate(go);
    cancel = () => clearImmediate(immediate);
  };
  const scheduleNext = (): void => {
    const timer = setTimeout(go, coalesceMs);
    cancel = () => clearTimeout(timer);
  };

  return {
    announce(notice) {
      if (stopped || queue.length >= queueLimit) return;
      queue.push(notice);
      if (queue.length === 1 && !cancel) scheduleFirst();
    },
    async stop() {
      stopped = true;
      cancel?.();
      await sending;
      // What cannot be sent now is found by the relay's sweep.
      while (queue.length > 0) await send();
      await connection.end();
    },
  };
}

/** One connection, opened when it is asked for and there is none. */
function keepConnection(connectionString: string, onError: (error: Error) => void) {
  let client: pg.Client | undefined;
  return {
    async open(): Promise<pg.Client> {
      if (client) return client;
      const fresh = new pg.Client({ connectionString, application_name: 'causeway announce' });
      fresh.on('error', (error) => {
        if (client === fresh) client = undefined;
        onError(error);
      });
      await fresh.connect();
      client = fresh;
      return fresh;
    },
    forget(): void {
      client = undefined;
    },
    end: async (): Promise<void> => client?.end(),
  };
}

function takeBatch(queue: string[]): string[] {
  let size = 0;
  const end = queue.findIndex((notice) => {
    size += notice.length + 1;
    return size > payloadLimit;
  });
  return end === -1 ? queue.slice() : queue.slice(0, Math.max(1, end));
}
