import type { Service } from '../../src/domain/platform/service.ts';

/** A hash of the rows of every table, by the table: equal before and after what changes nothing. */
export async function tableHashes({ prisma }: Service): Promise<Record<string, string | null>> {
  const tables = await prisma.$queryRaw<{ name: string }[]>`
    SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`;
  const hashes: Record<string, string | null> = {};
  for (const { name } of tables) {
    const [row] = await prisma.$queryRawUnsafe<{ hash: string | null }[]>(
      `SELECT md5(string_agg(row::text, E'\\n' ORDER BY row::text)) AS hash FROM ${name} AS row`,
    );
    hashes[name] = row!.hash;
  }
  return hashes;
}
