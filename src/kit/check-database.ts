import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseClient } from './database-client.ts';
import { formatHosts } from './database-hosts.ts';
import { noPrimaryCode } from './primary-finder.ts';

const responseTimeoutMs = 10_000;
/** The pause before the next search for the primary. */
const retryMs = 250;
const versionMin = 14;

/**
 * Checks at startup that a variable points to a supported PostgreSQL server. Throws an error that names the
 * variable and the problem, but never the password.
 */
export async function checkDatabase(
  variable: 'DATABASE_URL' | 'DATABASE_DIRECT_URL',
  databaseUrl: string,
): Promise<void> {
  try {
    await checkVersionUntil(performance.now() + responseTimeoutMs, databaseUrl);
  } catch (error) {
    throw new Error(
      `${variable}: ${explainError(error as NodeJS.ErrnoException, formatHosts(databaseUrl))}`,
      {
        cause: error,
      },
    );
  }
}

/**
 * Repeats the check while no primary is found: during a failover, or if the loading of modules delays the responses.
 */
async function checkVersionUntil(deadline: number, databaseUrl: string): Promise<void> {
  try {
    await checkVersion(databaseUrl);
  } catch (error) {
    if ((error as { code?: unknown }).code !== noPrimaryCode || performance.now() > deadline) throw error;
    await delay(retryMs);
    await checkVersionUntil(deadline, databaseUrl);
  }
}

async function checkVersion(databaseUrl: string): Promise<void> {
  const client = new DatabaseClient({
    connectionString: databaseUrl,
    connectionTimeoutMillis: responseTimeoutMs,
    query_timeout: responseTimeoutMs,
  });
  try {
    await client.connect();
    const { rows } = await client.query<{ server_version: string }>('SHOW server_version');
    const version = rows[0]?.server_version ?? '';
    if (Number.parseInt(version, 10) < versionMin)
      throw new Error(`PostgreSQL ${version} is too old: it must be ${versionMin} or later`);
  } finally {
    await client.end().catch(() => {});
  }
}

function explainError(error: NodeJS.ErrnoException, address: string): string | undefined {
  // The error has no message if the host name has several addresses and none of them responds.
  const reason =
    error.message || (error.cause as Error | undefined)?.message || error.code || 'no reason given';
  switch (error.code) {
    case 'ECONNREFUSED':
    case 'ECONNRESET':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'ETIMEDOUT':
    case 'ENOENT':
      return `cannot reach PostgreSQL at ${address} (${reason})`;
    case '28000':
    case '28P01':
      return `PostgreSQL at ${address} rejected the user or password (${reason})`;
    case '3D000':
      return `the database does not exist on PostgreSQL at ${address}: create it first (${reason})`;
    default:
      // The driver's timeout errors have no code.
      return error.message === 'timeout expired' || error.message === 'Query read timeout'
        ? `PostgreSQL at ${address} did not respond within ${responseTimeoutMs / 1000} s`
        : reason;
  }
}
