import type { AuditEntry } from '../../prisma/client/client.ts';
import type { Service } from '../../src/domain/platform/service.ts';

/** Returns the types of the events of an object or a merchant, in order. */
export async function getEventTypes(
  service: Service,
  where: { objectId: string } | { merchantId: string },
): Promise<string[]> {
  // IDs are ordered by time, which is not monotonic with a fake clock; versions of an object are.
  const byVersion = { objectVersion: 'asc' } as const;
  const byId = { id: 'asc' } as const;
  const orderBy = 'objectId' in where ? [byVersion, byId] : byId;
  const events = await service.prisma.event.findMany({ where, orderBy });
  return events.map(({ type }) => type);
}

export async function collectAuditEntries(
  { prisma }: Service,
  change: () => Promise<unknown>,
): Promise<AuditEntry[]> {
  // New IDs do not always sort last, because a fake clock may have been set back.
  const earlierEntries = await prisma.auditEntry.findMany({ select: { id: true } });
  await change();
  return prisma.auditEntry.findMany({
    where: { id: { notIn: earlierEntries.map(({ id }) => id) } },
    orderBy: { id: 'asc' },
  });
}

/** Returns a hash of the rows of each table, to check that an operation changes nothing; null for empty tables. */
export async function hashTables({ prisma }: Service): Promise<Record<string, string | null>> {
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
