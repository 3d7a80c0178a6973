import pg from 'pg';
import { announcerApplicationName } from '../kit/application-names.ts';
import { missedNotice, noticeChannel } from './notice.ts';

/** At most one NOTIFY in this time under load; at once when idle. */
const coalesceMs = 5;
/** PostgreSQL takes payloads below 8,000 bytes. */
const payloadLimit = 7_800;
/** While the connection is away: how often to try, and how many notices to keep. */
const defaultReconnectMs = 500;
const queueLimit = 10_000;
/** A server that does not answer for so long is gone, perhaps without a word: another connection is opened. */
const defaultResponseMsMax = 5_000;

export type Announcer = { announce: (notice: string) => void; stop: () => Promise<void> };

/**
 * Sends notices over one connection of its own. A NOTIFY inside the transaction of the change would serialise commits
 * over the whole database. When more wait than are kept, one goes out in place of all that says so: whoever listens
 * looks for itself.
 */
export function startAnnouncer(
  connectionString: string,
  onError: (error: Error) => void,
  { answerMsMax: responseMsMax = defaultResponseMsMax, reconnectMs = defaultReconnectMs } = {},
): Announcer {
  const connection = createReconnectingClient({ connectionString, responseMsMax, onError });
  let queue: string[] = [];
  let cancelScheduled: (() => void) | undefined;
  let sending: Promise<void> | undefined;
  let isStopped = false;

  const sendBatch = async (): Promise<void> => {
    const batch = takeBatch(queue);
    queue = queue.slice(batch.length);
    try {
      await (await connection.open()).query('SELECT pg_notify($1, $2)', [noticeChannel, batch.join('\n')]);
    } catch (error) {
      queue = [...batch, ...queue];
      connection.discard();
      onError(error as Error);
      await new Promise((resolve) => setTimeout(resolve, isStopped ? 0 : reconnectMs));
      if (isStopped) queue = [];
    }
  };

  const flush = (): void => {
    cancelScheduled = undefined;
    sending = sendBatch().then(() => {
      sending = undefined;
      if (queue.length > 0 && !isStopped) scheduleNext();
    });
  };
  /** With whatever else is told in this turn. */
  const scheduleFirst = (): void => {
    const immediate = setImmediate(flush);
    cancelScheduled = () => clearImmediate(immediate);
  };
  const scheduleNext = (): void => {
    const timer = setTimeout(flush, coalesceMs);
    cancelScheduled = () => clearTimeout(timer);
  };

  return {
    announce(notice) {
      if (isStopped) return;
      if (queue.length < queueLimit) queue.push(notice);
      else queue = [missedNotice];
      if (!sending && !cancelScheduled) scheduleFirst();
    },
    async stop() {
      isStopped = true;
      cancelScheduled?.();
      await sending;
      // What cannot be sent now is found by the relay's sweep.
      while (queue.length > 0) await sendBatch();
      await connection.end();
    },
  };
}

type AnnounceConnectionOptions = {
  connectionString: string;
  responseMsMax: number;
  onError: (error: Error) => void;
};

/** One connection, opened when it is asked for and there is none. */
function createReconnectingClient({ connectionString, responseMsMax, onError }: AnnounceConnectionOptions) {
  let client: pg.Client | undefined;
  const discard = (): void => {
    // One that still lives must not stay behind: a server takes only so many.
    void client?.end();
    client = undefined;
  };
  return {
    async open(): Promise<pg.Client> {
      if (client) return client;
      const newClient = new pg.Client({
        connectionString,
        application_name: announcerApplicationName,
        connectionTimeoutMillis: responseMsMax,
        query_timeout: responseMsMax,
      });
      newClient.on('error', (error) => {
        if (client === newClient) client = undefined;
        onError(error);
      });
      await newClient.connect();
      // A NOTIFY is a transaction that writes nothing worth waiting for the disk.
      await newClient.query('SET synchronous_commit = off');
      client = newClient;
      return newClient;
    },
    discard,
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
