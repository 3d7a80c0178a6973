import type pg from 'pg';
import { noticeChannel } from '../../event/notice.ts';
import { fingerprint, makeKeyring } from '../../kit/secrets.ts';
import { secretsNotice } from './follow-secrets.ts';
import { readSecrets, type SecretSources } from './read-secrets.ts';
import { resealEverything } from './reseal-everything.ts';
import { switchAppKey } from './switch-app-key.ts';
import { waitForProcesses } from './wait-for-processes.ts';

export type RotateOptions = {
  sources: SecretSources;
  /** The secret to change to, given the one in force. Every process must be able to find it in its own sources. */
  next: (inForce: string) => Promise<string>;
  /** Called when the new secret is in force, also where it was before. */
  onInForce: (secret: string) => Promise<void>;
  now: Date;
  onProgress: (line: string) => void;
  /** How long processes may take to read their secrets again. */
  patienceMs?: number;
};

/** `isResumed`: a change that was broken off has been brought to its end, and no other begun. */
export type Rotation = { rotated: Record<string, number>; isResumed: boolean };

/**
 * Changes the APP_SECRET under which this database is encrypted, while its service goes on: every process gets to know
 * the new one; it comes into force for all of them; everything is encrypted anew. What was signed under the old one
 * counts until that is forgotten. Broken off at any moment, nothing is lost, and the next call goes on where this one
 * ended. Throws an Error when a process does not know the new secret, nothing being changed then, and when another call
 * is at work.
 */
export async function rotateSecrets(client: pg.Client, options: RotateOptions): Promise<Rotation> {
  const { sources, onProgress, now, patienceMs } = options;
  await lockSecrets(client);
  const { inForce } = await readSecrets(client, sources);
  const isResumed = await isUnfinished(client);
  const secret = isResumed ? inForce : await options.next(inForce);
  if (!isResumed) {
    await tellProcesses(client);
    const advice = 'Every process must know the new secret first, and every command have ended';
    await waitForProcesses(client, { wanted: fingerprint(secret), state: 'known', advice, patienceMs });
    await switchAppKey(client, { from: inForce, to: secret, now });
    onProgress('The new secret is in force');
  }
  await options.onInForce(secret);
  await tellProcesses(client);
  const advice = 'The new secret is in force, but not every process has heard of it: call this again';
  await waitForProcesses(client, { wanted: fingerprint(secret), state: 'in force', advice, patienceMs });
  const rotated = await resealUnder(client, { sources, secret, onProgress });
  // The time it is by now, since this may take long: `forgetSecrets` waits for a while after it.
  await client.query(
    'UPDATE app_key SET resealed_at = $1 WHERE retired_at IS NOT NULL AND resealed_at IS NULL',
    [new Date()],
  );
  return { rotated, isResumed };
}

export async function resealUnder(
  client: pg.Client,
  { sources, secret, onProgress }: Pick<RotateOptions, 'sources' | 'onProgress'> & { secret: string },
): Promise<Record<string, number>> {
  const secrets = makeKeyring(await readSecrets(client, sources));
  return resealEverything({ client, secrets, inForce: fingerprint(secret), onProgress });
}

/** Whether something may still be encrypted under a secret that is no longer in force. */
export async function isUnfinished(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(
    'SELECT 1 FROM app_key WHERE retired_at IS NOT NULL AND resealed_at IS NULL LIMIT 1',
  );
  return rows.length > 0;
}

export async function tellProcesses(client: pg.Client): Promise<void> {
  await client.query('SELECT pg_notify($1, $2)', [noticeChannel, secretsNotice]);
}

/** Held until the connection ends, however that comes about. */
export async function lockSecrets(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ isOurs: boolean }>(
    `SELECT pg_try_advisory_lock(hashtextextended('causeway secrets', 0)) AS "isOurs"`,
  );
  if (!rows[0]?.isOurs) throw new Error('The secrets of this database are being changed already');
}
