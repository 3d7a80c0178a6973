import { type EncryptedColumn, encryptedColumns, type RowKey, type Secrets } from '../../kit/secrets.ts';
import type { Queryable } from '../../kit/with-client.ts';

const batchRows = 500;

type Work = {
  secrets: Secrets;
  /** The current data key. */
  dataKeyId: string;
  onProgress: (line: string) => void;
};

/**
 * Re-encrypts under the current data key every value that is encrypted under another one, while the service runs. Returns
 * how many of each column. Throws when values cannot be decrypted, after all others are done.
 */
export async function reencryptColumns(db: Queryable, work: Work): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const failures: string[] = [];
  for (const column of Object.keys(encryptedColumns) as EncryptedColumn[]) {
    counts[column] = 0;
    // Until nothing is left: processes may have written more behind the pass before.
    for (;;) {
      const { changed, failed } = await passOver(db, work, column);
      counts[column] += changed;
      if (changed > 0) continue;
      failures.push(...failed);
      break;
    }
    if (counts[column] > 0) work.onProgress(`${column}: ${counts[column]} values`);
  }
  if (failures.length > 0)
    throw new Error(`${failures.length} values were not re-encrypted, the first: ${failures[0]}`);
  return counts;
}

type Pass = { changed: number; failed: string[] };

/** Each value is replaced by a statement of its own, only if it is still the one that was read: nobody waits for it. */
async function passOver(db: Queryable, { secrets, dataKeyId }: Work, name: EncryptedColumn): Promise<Pass> {
  const [table, column] = name.split('.');
  const key = encryptedColumns[name].map((part) => `"${part}"`);
  const list = (from: number) => key.map((_, i) => `$${from + i}`).join(', ');
  const select = (condition: string) =>
    `SELECT "${column}" AS value, ARRAY[${key.map((part) => `${part}::text`).join(', ')}] AS key FROM "${table}"
     WHERE NOT starts_with("${column}", $1) ${condition} ORDER BY ${key.join(', ')} LIMIT ${batchRows}`;
  const update = `UPDATE "${table}" SET "${column}" = $1 WHERE "${column}" = $2 AND (${key.join(', ')}) = (${list(3)})`;
  const pass: Pass = { changed: 0, failed: [] };
  type Row = { value: string; key: string[] };
  for (let after: string[] | undefined = []; after; ) {
    const beyond: string = after.length === 0 ? '' : `AND (${key.join(', ')}) > (${list(2)})`;
    const { rows }: { rows: Row[] } = await db.query<Row>(select(beyond), [`${dataKeyId}.`, ...after]);
    for (const row of rows) {
      const rowKey = (row.key.length === 1 ? row.key[0] : row.key) as RowKey<EncryptedColumn>;
      try {
        const value = secrets.encrypt(await secrets.decrypt(row.value, name, rowKey), name, rowKey);
        const { rowCount } = await db.query(update, [value, row.value, ...row.key]);
        pass.changed += rowCount ?? 0;
      } catch (error) {
        pass.failed.push((error as Error).message);
      }
    }
    after = rows.length < batchRows ? undefined : rows.at(-1)?.key;
  }
  return pass;
}
