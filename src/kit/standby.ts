import pg from 'pg';
import { DatabaseClient } from './database-client.ts';
import { formatHosts } from './database-hosts.ts';
import { closeDb, type Db, openDb } from './db.ts';
import { secondMs } from './duration.ts';
import { destroyConnection } from './primary-finder.ts';
import type { Tracer } from './tracer.ts';
import { timedOut, withTimeout } from './with-timeout.ts';

/** The time limit for a server to report its position. */
const responseMsMax = 2 * secondMs;
/** The number of positions of the primary that are kept to express a lag as a time: an hour at one a second. */
const positionsMax = 3_600;

/** The identity of a server's data: the cluster, and the timeline that each promotion starts. */
type Lineage = { cluster: string; timeline: number };

const primarySql = `
  SELECT pg_current_wal_flush_lsn() - '0/0' AS position, (SELECT system_identifier FROM pg_control_system())::text AS cluster,
    ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int AS timeline`;

/** After a failover, a user without `pg_read_all_stats` sees the new timeline only after the next restart point. */
const standbySql = `
  SELECT pg_is_in_recovery() AS "isStandby", pg_last_wal_replay_lsn() - '0/0' AS position,
    (SELECT system_identifier FROM pg_control_system())::text AS cluster,
    greatest((SELECT timeline_id FROM pg_control_checkpoint()), (SELECT received_tli FROM pg_stat_wal_receiver)) AS timeline`;

type PrimaryHistory = {
  /** Reads the primary's position. If it does not respond, the standbys are compared with its last position. */
  record(primary: Pick<Db, 'pool'>): Promise<void>;
  getLineage(): Lineage | undefined;
  /** Returns the latest `performance.now()` at which the primary had not passed this position. */
  findTime(position: bigint): number | undefined;
};

/** Keeps positions of the primary's WAL, each with the time just before it was read. */
export function createPrimaryHistory(): PrimaryHistory {
  const entries: { at: number; position: bigint }[] = [];
  let lineage: Lineage | undefined;
  return {
    async record({ pool }) {
      const at = performance.now();
      const answer = pool.query<{ position: string } & Lineage>(primarySql).then(
        ({ rows: [row] }) => row,
        () => undefined,
      );
      const row = await withTimeout(responseMsMax, answer);
      if (row === timedOut || row === undefined) return;
      const { position, cluster, timeline } = row;
      if (lineage?.cluster !== cluster || lineage.timeline !== timeline) entries.length = 0;
      lineage = { cluster, timeline };
      entries.push({ at, position: BigInt(position) });
      if (entries.length > positionsMax) entries.shift();
    },
    getLineage: () => lineage,
    findTime: (position) => entries.findLast((entry) => entry.position <= position)?.at,
  };
}

/** The state of a standby, for metrics and messages. */
export type StandbyState = {
  host: string;
  /** How far its data is behind the primary; undefined until it has caught up once. */
  lagMs: number | undefined;
  /** Why nothing is read from it; undefined if it is used. */
  problem: string | undefined;
};

export type StandbyOptions = {
  lagMsMax: number;
  poolSize: number;
  inactivityTimeoutMs?: number | undefined;
  tracer?: Tracer | undefined;
  /** Also receives a message when reads from the standby start or stop. */
  onError: (error: Error) => void;
};

export type Standby = {
  url: string;
  db: Db;
  measure(history: PrimaryHistory): Promise<void>;
  getState(): StandbyState;
  /** Returns whether the server is the primary now, for example after a failover. */
  isPrimary(): boolean;
  close(): Promise<void>;
};

/**
 * Opens a standby. A standby that has replayed a position of the primary has all data that was committed when the
 * primary reported it; the time since then is its lag. This needs no writes, and also detects a standby that has lost
 * its primary.
 */
export function openStandby(url: string, options: StandbyOptions): Standby {
  const { lagMsMax, onError } = options;
  const host = formatHosts(url);
  const db = openDb({ connectionString: url, ...options });
  const connections = trackConnections(db.pool);
  const monitor = openMonitor(url);
  let currentAt: number | undefined;
  let failure: string | undefined = 'has not been measured yet';
  let isPrimary = false;
  let reported: string | undefined;

  const getState = (): StandbyState => {
    const lagMs = currentAt === undefined ? undefined : performance.now() - currentAt;
    const isBehind = lagMs === undefined || lagMs > lagMsMax;
    return { host, lagMs, problem: failure ?? (isBehind ? 'is too far behind the primary' : undefined) };
  };
  const reportChange = () => {
    const { problem } = getState();
    if (problem === reported) return;
    reported = problem;
    onError(
      new Error(`Standby ${host} ${problem === undefined ? 'is read again' : `is not read: it ${problem}`}`),
    );
  };
  return {
    url,
    db,
    async measure(history) {
      try {
        const { rows } = await monitor.query<StandbyRow>(standbySql);
        isPrimary = isOfPrimary(rows[0], history.getLineage());
        const position = requireStandby(rows[0], history.getLineage());
        currentAt = history.findTime(position) ?? currentAt;
        failure = undefined;
      } catch (error) {
        if (error instanceof UnusableError) currentAt = undefined;
        else isPrimary = false;
        failure =
          error instanceof UnusableError ? error.message : `does not respond (${(error as Error).message})`;
        // Pending reads are rejected, and repeated on the primary. Otherwise they would wait for a server that hangs.
        for (const client of connections) destroyConnection(client);
      }
      reportChange();
    },
    getState,
    isPrimary: () => isPrimary,
    async close() {
      await monitor.end();
      await closeDb(db);
    },
  };
}

type StandbyRow = { isStandby: boolean; position: string | null } & Lineage;

class UnusableError extends Error {
  override readonly name = 'UnusableError';
}

function isOfPrimary(row: StandbyRow | undefined, primary: Lineage | undefined): boolean {
  return row?.isStandby === false && row.cluster === primary?.cluster && row.timeline === primary.timeline;
}

/** Returns the position that the standby has replayed. Throws unless it follows the primary. */
function requireStandby(row: StandbyRow | undefined, primary: Lineage | undefined): bigint {
  if (!row?.isStandby || row.position === null) throw new UnusableError('is not a standby');
  if (primary === undefined)
    throw new UnusableError('cannot be compared, because the primary does not respond');
  if (row.cluster !== primary.cluster) throw new UnusableError('is a standby of another server');
  if (row.timeline !== primary.timeline) throw new UnusableError('has not followed the last failover');
  return BigInt(row.position);
}

/** Opens a connection for measurements only, because long reads may occupy the others. */
function openMonitor(url: string): pg.Pool {
  const monitor = new pg.Pool({
    connectionString: url,
    max: 1,
    Client: DatabaseClient,
    connectionTimeoutMillis: responseMsMax,
    query_timeout: responseMsMax,
  });
  // The failed query reports the error of its connection.
  monitor.on('error', () => {});
  return monitor;
}

function trackConnections(pool: pg.Pool): ReadonlySet<pg.PoolClient> {
  const connections = new Set<pg.PoolClient>();
  pool.on('connect', (client) => connections.add(client));
  pool.on('remove', (client) => connections.delete(client));
  return connections;
}
