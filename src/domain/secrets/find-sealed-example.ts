import type { Queryable } from '../../kit/with-client.ts';

/** Something that is encrypted, to try a secret on. Every merchant has such a key; without merchants nothing is. */
export async function findSealedExample(db: Queryable): Promise<string | undefined> {
  const tables = await db.query(`SELECT to_regclass('merchant') AS name`);
  if (tables.rows[0]?.name === null) return undefined;
  const { rows } = await db.query<{ sealed: string }>(
    'SELECT hash_key_sealed AS sealed FROM merchant ORDER BY id DESC LIMIT 1',
  );
  return rows[0]?.sealed;
}
