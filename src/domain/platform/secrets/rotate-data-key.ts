import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { minuteMs } from '../../../kit/duration.ts';
import {
  type EncryptedColumn,
  encryptedColumns,
  openKeyring,
  type RowKey,
  type Secrets,
} from '../../../kit/secrets.ts';
import { withTransaction } from '../../../kit/with-client.ts';
import {
  findWrappingSecret,
  insertDataKey,
  lockSecrets,
  notifyProcesses,
  readDataKeys,
  type SecretSources,
} from './data-keys.ts';
import { leaseMs } from './open-secrets.ts';

/**
 * Processes usually load an announced data key within this time. The key is activated only afterwards, so that other
 * processes accept its signatures.
 */
const defaultAnnounceMs = 5_000;
/** The longest time that a transaction may run after it has encrypted a value. */
const transactionMsMax = 5 * minuteMs;

type RotateOptions = {
  sources: SecretSources;
  onProgress: (line: string) => void;
  announceMs?: number;
};

/**
 * The number of re-encrypted rows by column. `isResumed` means that an interrupted rotation was finished and
 * no new one was started.
 */
export type Rotation = { reencrypted: Record<string, number>; isResumed: boolean };

/**
 * Creates a data key, gives processes time to load it, activates it, and re-encrypts every encrypted column while the
 * service runs. Signatures by the previous key stay valid until {@link deleteRetiredDataKeys}. After an interruption,
 * the next call resumes the rotation. Throws if another call is running.
 */
export async function rotateDataKey(client: pg.Client, options: RotateOptions): Promise<Rotation> {
  const { sources, onProgress, announceMs = defaultAnnounceMs } = options;
  await lockSecrets(client);
  await readDataKeys(client, sources);
  const isResumed = await isReencrypting(client);
  if (!isResumed) {
    await announceDataKey(client, sources);
    await notifyProcesses(client);
    await delay(announceMs);
    await activateDataKey(client);
    onProgress('A new data key is in use');
  }
  await notifyProcesses(client);
  const reencrypted = await reencrypt(client, options);
  await client.query('UPDATE data_key SET reencrypted_at = $1 WHERE retired_at IS NOT NULL', [new Date()]);
  return { reencrypted, isResumed };
}

/**
 * Deletes the retired data keys, which invalidates their signatures, and returns the number of deleted keys.
 * First re-encrypts values that were written with a retired key after the rotation. Throws while a rotation
 * is unfinished, and until every process has loaded the new data key or stopped encrypting. Also throws if it
 * had to re-encrypt values, so that the operator finds the process that wrote them.
 */
export async function deleteRetiredDataKeys(
  client: pg.Client,
  options: Omit<RotateOptions, 'announceMs'> & { now: Date },
): Promise<number> {
  const { now } = options;
  await lockSecrets(client);
  if (await isReencrypting(client))
    throw new Error('A data key rotation was interrupted. Run `secrets rotate --data-key` to finish it.');
  const { rows } = await client.query<{ retiredAt: Date | null }>(
    'SELECT max(retired_at) AS "retiredAt" FROM data_key',
  );
  const retiredAt = rows[0]?.retiredAt;
  if (!retiredAt) return 0;
  const deletableFrom = new Date(retiredAt.getTime() + leaseMs + transactionMsMax);
  if (deletableFrom > now)
    throw new Error(
      `Transactions may still use the old data key: run this command after ${deletableFrom.toISOString()}`,
    );
  const lateCount = Object.values(await reencrypt(client, options)).reduce((sum, count) => sum + count, 0);
  if (lateCount > 0)
    throw new Error(
      `${lateCount} values were still encrypted under the old data key and are now re-encrypted. Restart every process that was started with an older APP_SECRET, then run this command again`,
    );
  const { rowCount } = await client.query('DELETE FROM data_key WHERE retired_at IS NOT NULL');
  await notifyProcesses(client);
  return rowCount ?? 0;
}

async function reencrypt(
  client: pg.Client,
  { sources, onProgress }: Pick<RotateOptions, 'sources' | 'onProgress'>,
): Promise<Record<string, number>> {
  const keys = await readDataKeys(client, sources);
  const secrets = await openKeyring(async () => keys);
  return reencryptColumns(client, { secrets, dataKeyId: keys.current.id, onProgress });
}

async function isReencrypting(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(
    'SELECT 1 FROM data_key WHERE retired_at IS NOT NULL AND reencrypted_at IS NULL LIMIT 1',
  );
  return rows.length > 0;
}

/** Inserts a data key that is not active yet. Does nothing if an interrupted rotation has left an inactive key. */
async function announceDataKey(client: pg.Client, sources: SecretSources): Promise<void> {
  const { rows } = await client.query<{ wrappedBy: string }>(
    'SELECT wrapped_by AS "wrappedBy" FROM data_key LIMIT 1',
  );
  const secret = await findWrappingSecret(sources, rows[0]?.wrappedBy ?? '');
  await insertDataKey(client, { secret, activatedAt: null, now: new Date() });
}

async function activateDataKey(client: pg.Client): Promise<void> {
  const now = new Date();
  await withTransaction(client, async () => {
    await client.query(
      'UPDATE data_key SET retired_at = $1 WHERE activated_at IS NOT NULL AND retired_at IS NULL',
      [now],
    );
    await client.query('UPDATE data_key SET activated_at = $1 WHERE activated_at IS NULL', [now]);
  });
}

type ReencryptionJob = {
  secrets: Secrets;
  dataKeyId: string;
  onProgress: (line: string) => void;
};

type Pass = { limit: number; lock: string };

/**
 * The first pass skips locked rows. The second pass waits for them, one row per transaction, so that a
 * waiting transaction holds no lock and cannot cause a deadlock.
 */
const passes: readonly Pass[] = [
  { limit: 500, lock: 'FOR NO KEY UPDATE SKIP LOCKED' },
  { limit: 1, lock: 'FOR NO KEY UPDATE' },
];

/**
 * Re-encrypts every value that is not encrypted with the current data key, while the service runs. Returns
 * the number of values by column. If values cannot be decrypted, throws after all others have been
 * re-encrypted.
 */
async function reencryptColumns(client: pg.Client, job: ReencryptionJob): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const failures: string[] = [];
  for (const column of Object.keys(encryptedColumns) as EncryptedColumn[]) {
    let total = 0;
    let result = { changed: 0, failed: [] as string[] };
    // Repeats until nothing changes, because processes may write values to rows that were already processed.
    for (const pass of passes)
      do {
        result = await reencryptColumn(client, job, column, pass);
        total += result.changed;
      } while (result.changed > 0);
    failures.push(...result.failed);
    counts[column] = total;
    if (total > 0) job.onProgress(`${column}: ${total} values re-encrypted`);
  }
  if (failures.length > 0)
    throw new Error(`${failures.length} values were not re-encrypted, the first: ${failures[0]}`);
  return counts;
}

type EncryptedRow = { ctid: string; value: string; rowKey: string[] };

/** Processes a column in batches in the order of the primary key, with one transaction per batch. */
async function reencryptColumn(
  client: pg.Client,
  { secrets, dataKeyId }: ReencryptionJob,
  name: EncryptedColumn,
  { limit, lock }: Pass,
): Promise<{ changed: number; failed: string[] }> {
  const [table, column] = name.split('.');
  const keyColumns = encryptedColumns[name].map((part) => `"${part}"`);
  const keyTexts = keyColumns.map((part) => `${part}::text`);
  const failed: string[] = [];
  let changed = 0;
  const nextBatch = async (after: string[]) => {
    const afterCondition = `AND (${keyColumns}) > (${after.map((_, i) => `$${i + 2}`)})`;
    const { rows } = await client.query<EncryptedRow>(
      `SELECT ctid::text, "${column}" AS value, ARRAY[${keyTexts}] AS "rowKey" FROM "${table}"
       WHERE NOT starts_with("${column}", $1) ${after.length > 0 ? afterCondition : ''} ORDER BY ${keyColumns} LIMIT ${limit} ${lock}`,
      [`${dataKeyId}.`, ...after],
    );
    // Without it, the database rejects changes of the rows of a merchant that is paused or has moved.
    await client.query(`SELECT set_config('causeway.changes_moving_merchants', 'on', true)`);
    const replacements: { ctid: string; value: string }[] = [];
    for (const { ctid, value, rowKey: values } of rows) {
      const rowKey = (values.length === 1 ? values[0] : values) as RowKey<EncryptedColumn>;
      try {
        replacements.push({
          ctid,
          value: secrets.encrypt(await secrets.decrypt(value, name, rowKey), name, rowKey),
        });
      } catch (error) {
        failed.push((error as Error).message);
      }
    }
    await client.query(
      `UPDATE "${table}" SET "${column}" = new.value FROM unnest($1::tid[], $2::text[]) AS new (at, value)
       WHERE "${table}".ctid = new.at`,
      [replacements.map(({ ctid }) => ctid), replacements.map(({ value }) => value)],
    );
    changed += replacements.length;
    return rows.length < limit ? undefined : rows.at(-1)?.rowKey;
  };
  let after: string[] | undefined = [];
  while (after) {
    const batchStart: string[] = after;
    after = await withTransaction(client, () => nextBatch(batchStart));
  }
  return { changed, failed };
}
