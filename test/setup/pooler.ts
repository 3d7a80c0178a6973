/**
 * With PGBOUNCER, the tests' PostgreSQL has a PgBouncer in front. The pools of services go through it; LISTEN and the
 * tests' own connections do not.
 */

/** The ports of the tests' PostgreSQL and of its PgBouncer, set by global-setup.ts for all processes of the run. */
const [serverPort, poolerPort] = process.env.TEST_POOLER?.split(':') ?? [];

/** Replaces the tests' PostgreSQL in a URL with its PgBouncer, if there is one. */
export function toPooled(connectionString: string): string {
  return replacePort(connectionString, serverPort, poolerPort);
}

/** Replaces PgBouncer in a URL with the PostgreSQL behind it. */
export function toDirect(connectionString: string): string {
  return replacePort(connectionString, poolerPort, serverPort);
}

function replacePort(connectionString: string, from: string | undefined, to: string | undefined): string {
  if (from === undefined || to === undefined || !URL.canParse(connectionString)) return connectionString;
  const url = new URL(connectionString);
  if (url.port !== from) return connectionString;
  url.port = to;
  // A Unix socket would bypass PgBouncer.
  url.searchParams.delete('host');
  return url.href;
}
