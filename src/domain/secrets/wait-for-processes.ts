import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { commandConnections, listenConnections } from '../../kit/connection-names.ts';
import { fingerprint } from '../../kit/secrets.ts';
import type { OpenedSecrets } from './read-secrets.ts';

/** How long processes may take to read again what they were told of. */
const patienceMsPreset = 15_000;
const pauseMs = 50;

/** What a process tells of its secrets, by the name of the connection on which it listens: that in force, then the next. */
export function describeSecrets({ ready }: Pick<OpenedSecrets, 'ready'>): string {
  return ready.map(fingerprint).join(' ');
}

type OtherProcess = { name: string; at: string; ready: string[] };

export type Expectation = {
  /** The fingerprint in question, and whether every process has to use it, or know it as the next: what it signs counts. */
  wanted: string;
  state: 'known' | 'in force';
  /** What to do about those that do not get there. */
  advice: string;
  patienceMs?: number | undefined;
};

/**
 * Resolves once every process of ours on this database knows a secret, or works under it, and no command is at work,
 * which would not hear of the change. Throws an Error that names the processes that do not get there.
 */
export async function waitForProcesses(
  client: pg.Client,
  { wanted, state, advice, patienceMs = patienceMsPreset }: Expectation,
): Promise<void> {
  const isThere = ({ ready }: OtherProcess) =>
    state === 'known' ? ready.includes(wanted) : ready[0] === wanted;
  const begun = performance.now();
  for (;;) {
    const late = (await findOthers(client)).filter((process) => !isThere(process));
    if (late.length === 0) return;
    if (performance.now() - begun > patienceMs)
      throw new Error(`${advice}. Not ready: ${late.map(({ name, at }) => `${name} (${at})`).join(', ')}`);
    await delay(pauseMs);
  }
}

/** Whether a process of ours, or another command, works on this database. */
export async function isAnybodyAtWork(client: pg.Client): Promise<boolean> {
  return (await findOthers(client)).length > 0;
}

/** Each process of the service listens on one connection; a command has no such, and tells nothing. */
async function findOthers(client: pg.Client): Promise<OtherProcess[]> {
  const { rows } = await client.query<{ name: string; at: string }>(
    `SELECT application_name AS name, coalesce(host(client_addr), 'local') || ', backend ' || pid AS at
     FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid()
       AND (application_name LIKE '${listenConnections}%' OR application_name = '${commandConnections}')`,
  );
  return rows.map(({ name, at }) =>
    name.startsWith(listenConnections)
      ? { name: 'a running process', at, ready: name.slice(listenConnections.length).trim().split(' ') }
      : { name: 'a command of the command line', at, ready: [] },
  );
}
