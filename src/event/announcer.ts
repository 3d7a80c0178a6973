import { announcerApplicationName } from '../kit/application-names.ts';
import { DatabaseClient } from '../kit/database-client.ts';
import { missedNotice, noticeChannel } from './notice.ts';

/** The pause before the next NOTIFY if more notices are queued when the previous one has been sent. */
const coalesceMs = 5;
/** PostgreSQL limits payloads to less than 8,000 bytes. */
const payloadLengthMax = 7_800;
const defaultReconnectMs = 500;
/** At this length of the queue, the next notice replaces all queued notices with `missedNotice`. */
const queueLengthMax = 10_000;
/** The time limit for responses of the server, after which a new connection is opened. */
const defaultResponseMsMax = 5_000;

/**
 * NOTIFY writes no data, so its commit need not wait for the disk. The setting ends with the statement: a connection
 * pooler would otherwise pass it on to transactions that must be durable.
 */
const notifySql = "SELECT set_config('synchronous_commit', 'off', true), pg_notify($1, $2)";

type Announcer = { announce: (notice: string) => void; stop: () => Promise<void> };

/**
 * Starts an announcer, which sends notices over a dedicated connection. A NOTIFY inside the transaction of a change
 * would serialize commits across the whole database.
 */
export function startAnnouncer(
  connectionString: string,
  onError: (error: Error) => void,
  { responseMsMax = defaultResponseMsMax, reconnectMs = defaultReconnectMs } = {},
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
      await (await connection.open()).query(notifySql, [noticeChannel, batch.join('\n')]);
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
      if (queue.length > 0 && !isStopped) flushLater();
    });
  };
  /** Batches all notices of the same event loop turn. */
  const flushSoon = (): void => {
    const immediate = setImmediate(flush);
    cancelScheduled = () => clearImmediate(immediate);
  };
  const flushLater = (): void => {
    const timer = setTimeout(flush, coalesceMs);
    cancelScheduled = () => clearTimeout(timer);
  };

  return {
    announce(notice) {
      if (isStopped) return;
      if (queue.length < queueLengthMax) queue.push(notice);
      else queue = [missedNotice];
      if (!sending && !cancelScheduled) flushSoon();
    },
    async stop() {
      isStopped = true;
      cancelScheduled?.();
      await sending;
      // `sendBatch` drops the queue after an error, so that the process can stop.
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

/** Creates a connection that opens on demand. */
function createReconnectingClient({ connectionString, responseMsMax, onError }: AnnounceConnectionOptions) {
  let client: DatabaseClient | undefined;
  const discard = (): void => {
    // A connection that is still open must be closed, because the server limits the number of connections.
    void client?.end();
    client = undefined;
  };
  return {
    async open(): Promise<DatabaseClient> {
      if (client) return client;
      const newClient = new DatabaseClient({
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
    return size > payloadLengthMax;
  });
  return end === -1 ? queue.slice() : queue.slice(0, Math.max(1, end));
}
