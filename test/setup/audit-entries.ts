import type { AuditEntry } from '../../prisma/client/client.ts';
import type { Service } from '../../src/domain/platform/service.ts';

/** The entries that a change has left in the audit trail. */
export async function auditEntriesOf(
  { prisma }: Service,
  change: () => Promise<unknown>,
): Promise<AuditEntry[]> {
  const [last] = await prisma.auditEntry.findMany({ orderBy: { id: 'desc' }, take: 1 });
  await change();
  return prisma.auditEntry.findMany({ where: { id: { gt: last?.id ?? '' } }, orderBy: { id: 'asc' } });
}
