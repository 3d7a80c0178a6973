import type pg from 'pg';
import { minuteMs } from '../../kit/duration.ts';
import { readSecrets } from './read-secrets.ts';
import {
  isUnfinished,
  lockSecrets,
  type RotateOptions,
  resealUnder,
  tellProcesses,
} from './rotate-secrets.ts';
import { isAnybodyAtWork } from './wait-for-processes.ts';

/** Longer than anything that was begun under an earlier secret takes to be written. */
const restMs = minuteMs;

/**
 * Forgets the secrets that are no longer in force: what was signed under them (links, tokens, codes) counts no longer.
 * Nothing is encrypted under them any more; that is looked for once again first. Answers how many they were.
 * Throws when a change of the secret has not come to its end, or has only just, with the service at work.
 */
export async function forgetSecrets(
  client: pg.Client,
  { sources, now, onProgress }: Pick<RotateOptions, 'sources' | 'now' | 'onProgress'>,
): Promise<number> {
  await lockSecrets(client);
  if (await isUnfinished(client))
    throw new Error('A change of the secret was broken off: bring it to its end with secrets rotate');
  const { rows } = await client.query<{ resealedAt: Date }>(
    'SELECT max(resealed_at) AS "resealedAt" FROM app_key WHERE retired_at IS NOT NULL HAVING count(*) > 0',
  );
  const [last] = rows;
  if (!last) return 0;
  const restsUntil = new Date(last.resealedAt.getTime() + restMs);
  if (restsUntil > now && (await isAnybodyAtWork(client)))
    throw new Error(
      `Something begun under the old secret may still be written: call this after ${restsUntil.toISOString()}`,
    );
  const { inForce } = await readSecrets(client, sources);
  await resealUnder(client, { sources, secret: inForce, onProgress });
  const { rowCount } = await client.query('DELETE FROM app_key WHERE retired_at IS NOT NULL');
  await tellProcesses(client);
  return rowCount ?? 0;
}
