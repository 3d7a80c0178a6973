import type pg from 'pg';
import { fingerprint, makeSecrets } from '../../kit/secrets.ts';

/**
 * Puts another secret in force, in one transaction: from its commit on processes encrypt and sign under it. The one
 * before, and those before that, are kept encrypted under it, so that it opens all that they have encrypted. Throws
 * when the one to change from is no longer in force.
 */
export async function switchAppKey(
  client: pg.Client,
  { from, to, now }: { from: string; to: string; now: Date },
): Promise<void> {
  const [old, next] = [makeSecrets(from), makeSecrets(to)];
  await client.query('BEGIN');
  try {
    const { rows } = await client.query<{ fingerprint: string; sealed: string | null }>(
      'SELECT fingerprint, secret_sealed AS sealed FROM app_key FOR UPDATE',
    );
    for (const row of rows) {
      if (row.sealed === null && row.fingerprint !== fingerprint(from))
        throw new Error('Another secret has been put in force meanwhile');
      const secret = row.sealed === null ? from : old.unseal(row.sealed);
      await client.query(
        'UPDATE app_key SET secret_sealed = $2, retired_at = coalesce(retired_at, $3) WHERE fingerprint = $1',
        [row.fingerprint, next.seal(secret), now],
      );
    }
    // One of before comes into force again.
    await client.query(
      `INSERT INTO app_key (fingerprint, in_force_since) VALUES ($1, $2)
       ON CONFLICT (fingerprint) DO UPDATE
         SET secret_sealed = NULL, retired_at = NULL, resealed_at = NULL, in_force_since = excluded.in_force_since`,
      [fingerprint(to), now],
    );
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}
