import type pg from 'pg';
import { getFingerprint, unwrapDataKey, wrapDataKey } from '../../../kit/secrets.ts';
import { withTransaction } from '../../../kit/with-client.ts';
import { findWrappingSecret, lockSecrets, readDataKeys, type SecretSources } from './data-keys.ts';

/**
 * Wraps the data keys with a new APP_SECRET in one transaction. Running processes read the data keys again, so with
 * APP_SECRET in the environment they must have both secrets. `getNewSecret` receives the current secret and returns the
 * new one.
 */
export async function rotateAppSecret(
  client: pg.Client,
  { sources, getNewSecret }: { sources: SecretSources; getNewSecret: (current: string) => Promise<string> },
): Promise<void> {
  await lockSecrets(client);
  // Creates the data keys if no process has run yet, and finishes an interrupted rotation.
  await readDataKeys(client, sources);
  await withTransaction(client, async () => {
    const { rows } = await client.query<{ id: string; wrappedKey: string; wrappedBy: string }>(
      'SELECT id, wrapped_key AS "wrappedKey", wrapped_by AS "wrappedBy" FROM data_key FOR UPDATE',
    );
    const currentSecret = await findWrappingSecret(sources, rows[0]?.wrappedBy ?? '');
    const newSecret = await getNewSecret(currentSecret);
    for (const row of rows)
      await client.query('UPDATE data_key SET wrapped_key = $2, wrapped_by = $3 WHERE id = $1', [
        row.id,
        wrapDataKey(newSecret, unwrapDataKey(currentSecret, row)),
        getFingerprint(newSecret),
      ]);
  });
}
