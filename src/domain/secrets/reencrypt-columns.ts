import type pg from 'pg';
import { type EncryptedColumn, encryptedColumns, type RowKey, type Secrets } from '../../kit/secrets.ts';
import { inTransaction } from '../../kit/with-client.ts';

type Work = {
  secrets: Secrets;
  /** The current data key. */
  dataKeyId: string;
  onProgress: (line: string) => void;
};

type Pass = { limit: number; lock: string };

/** Locked rows are skipped first, and then waited for one by one: who waits holds no lock, so there is no deadlock. */
const passes: readonly Pass[] = [
  { limit: 500, lock: 'FOR NO KEY UPDATE SKIP LOCKED' },
  { limit: 1, lock: 'FOR NO KEY UPDATE' },
];

/**
 * Re-encrypts under the current data key every value that is encrypted under another one, while the service runs. Returns
 * how many of each column. Throws when values cannot be decrypted, after all others are done.
 */
export async function reencryptColumns(client: pg.Client, work: Work): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const failures: string[] = [];
  for (const column of Object.keys(encryptedColumns) as EncryptedColumn[]) {
    let total = 0;
    let result = { changed: 0, failed: [] as string[] };
    // Until nothing is left: processes may have written more behind the pass before.
    for (const pass of passes)
      do {
        result = await passOver(client, work, column, pass);
        total += result.changed;
      } while (result.changed > 0);
    failures.push(...result.failed);
    counts[column] = total;
    if (total > 0) work.onProgress(`${column}: ${total} values`);
  }
  if (failures.length > 0)
    throw new Error(`${failures.length} values were not re-encrypted, the first: ${failures[0]}`);
  return counts;
}

type Row = { ctid: string; value: string; rowKey: string[] };

/** Goes over a column in batches by primary key, each in a transaction. */
async function passOver(
  client: pg.Client,
  { secrets, dataKeyId }: Work,
  name: EncryptedColumn,
  { limit, lock }: Pass,
): Promise<{ changed: number; failed: string[] }> {
  const [table, column] = name.split('.');
  const key = encryptedColumns[name].map((part) => `"${part}"`);
  const texts = key.map((part) => `${part}::text`);
  const failed: string[] = [];
  let changed = 0;
  const nextBatch = async (after: string[]) => {
    const beyond = `AND (${key}) > (${after.map((_, i) => `$${i + 2}`)})`;
    const { rows } = await client.query<Row>(
      `SELECT ctid::text, "${column}" AS value, ARRAY[${texts}] AS "rowKey" FROM "${table}"
       WHERE NOT starts_with("${column}", $1) ${after.length > 0 ? beyond : ''} ORDER BY ${key} LIMIT ${limit} ${lock}`,
      [`${dataKeyId}.`, ...after],
    );
    const replaced: { ctid: string; value: string }[] = [];
    for (const { ctid, value, rowKey: values } of rows) {
      const row = (values.length === 1 ? values[0] : values) as RowKey<EncryptedColumn>;
      try {
        replaced.push({ ctid, value: secrets.encrypt(await secrets.decrypt(value, name, row), name, row) });
      } catch (error) {
        failed.push((error as Error).message);
      }
    }
    await client.query(
      `UPDATE "${table}" SET "${column}" = new.value FROM unnest($1::tid[], $2::text[]) AS new (at, value)
       WHERE "${table}".ctid = new.at`,
      [replaced.map(({ ctid }) => ctid), replaced.map(({ value }) => value)],
    );
    changed += replaced.length;
    return rows.length < limit ? undefined : rows.at(-1)?.rowKey;
  };
  let after: string[] | undefined = [];
  while (after) {
    const from: string[] = after;
    after = await inTransaction(client, () => nextBatch(from));
  }
  return { changed, failed };
}
