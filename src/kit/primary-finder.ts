import type { Socket } from 'node:net';
import pg from 'pg';
import { formatHosts, requiresPrimaryCheck, splitHosts } from './database-hosts.ts';

/** The code of the error when no server accepts writes. */
export const noPrimaryCode = 'NO_PRIMARY';

/** The time limit for connecting to a server and reading its state. */
const probeMsMax = 2_000;
/**
 * How long other callers reuse the error of a failed search, so that an outage does not cause a storm of
 * connections.
 */
const failureMs = 250;

/**
 * The timeline on which the server writes; null on a standby. A promotion starts a new timeline, so of two servers that
 * accept writes, the one with the higher timeline is the primary.
 */
const timelineSql = `
  SELECT CASE WHEN NOT pg_is_in_recovery() AND current_setting('transaction_read_only') = 'off'
    THEN ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int END AS timeline`;

export type PrimaryFinder = {
  /** Any of the URLs: they differ in host and port only. */
  anyUrl: string;
  /** Returns the URL of the server that accepts writes. Throws with `noPrimaryCode` if there is none. */
  find: () => Promise<string>;
  /**
   * Throws unless the new connection leads to the primary. Destroys the connection when another server becomes primary.
   */
  admit: (client: pg.Client, url: string) => Promise<void>;
  /** Records that the server was lost, so that the next `find` queries all servers. */
  forget: (url: string) => void;
};

const finders = new Map<string, PrimaryFinder>();

/** Returns the finder that all connections of the process to these servers share; undefined if none is needed. */
export function getPrimaryFinder(connectionString: string): PrimaryFinder | undefined {
  if (!requiresPrimaryCheck(connectionString)) return undefined;
  const finder = finders.get(connectionString) ?? createPrimaryFinder(connectionString);
  finders.set(connectionString, finder);
  return finder;
}

/** Returns the URL of the primary, for a library that opens its own connections. */
export async function findPrimaryUrl(connectionString: string): Promise<string> {
  return (await getPrimaryFinder(connectionString)?.find()) ?? connectionString;
}

function createPrimaryFinder(connectionString: string): PrimaryFinder {
  const urls = splitHosts(connectionString);
  const clients = new Map<pg.Client, string>();
  let primary: string | undefined;
  let newestTimeline = 0;
  let search: Promise<string> | undefined;

  const assertPrimary = (timeline: number | null, url: string): void => {
    if (timeline === null) throw noPrimaryError(`PostgreSQL at ${formatHosts(url)} is a standby`);
    if (timeline < newestTimeline)
      throw noPrimaryError(`PostgreSQL at ${formatHosts(url)} is a primary that has been replaced`);
    newestTimeline = timeline;
  };

  const searchPrimary = async (): Promise<string> => {
    const answers = await Promise.allSettled(urls.map(probe));
    const candidates = answers.flatMap((answer, i) =>
      answer.status === 'fulfilled' && answer.value !== null
        ? [{ url: urls[i]!, timeline: answer.value }]
        : [],
    );
    const [newest] = candidates.sort((a, b) => b.timeline - a.timeline);
    if (!newest) {
      const failure = answers.find((answer) => answer.status === 'rejected');
      throw noPrimaryError(
        `No PostgreSQL at ${formatHosts(connectionString)} accepts writes`,
        failure?.reason,
      );
    }
    assertPrimary(newest.timeline, newest.url);
    primary = newest.url;
    for (const [client, url] of clients) if (url !== primary) destroyConnection(client);
    return primary;
  };

  return {
    anyUrl: urls[0]!,
    find() {
      if (primary !== undefined) return Promise.resolve(primary);
      if (search === undefined) {
        const started = searchPrimary();
        search = started;
        const end = () => {
          search = undefined;
        };
        started.then(end, () => setTimeout(end, failureMs).unref());
      }
      return search;
    },
    async admit(client, url) {
      const { rows } = await client.query<{ timeline: number | null }>(timelineSql);
      assertPrimary(rows[0]?.timeline ?? null, url);
      clients.set(client, url);
      client.on('end', () => clients.delete(client));
    },
    forget(url) {
      if (primary === url) primary = undefined;
    },
  };
}

/** Destroys the socket, so that the driver rejects pending queries and the pool drops the connection. */
export function destroyConnection(client: pg.ClientBase): void {
  (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
}

async function probe(url: string): Promise<number | null> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: probeMsMax,
    query_timeout: probeMsMax,
  });
  // A broken connection also rejects the running statement, which reports the error.
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ timeline: number | null }>(timelineSql);
    return rows[0]?.timeline ?? null;
  } finally {
    destroyConnection(client);
  }
}

function noPrimaryError(message: string, cause?: unknown): Error {
  return Object.assign(new Error(message, { cause }), { code: noPrimaryCode });
}
