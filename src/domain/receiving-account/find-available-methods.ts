import type { Tx } from '../../kit/db.ts';
import type { Owner } from '../../kit/owner.ts';
import { type MethodCode, methodCodes } from '../../method/catalogue.ts';

/** The methods the merchant can receive on in this mode, in the order of the catalogue. */
export async function findAvailableMethods(
  { prisma }: { prisma: Pick<Tx, 'receivingAccount'> },
  options: Owner,
): Promise<MethodCode[]> {
  const rows = await prisma.receivingAccount.findMany({
    where: { ...options, status: 'active' },
    distinct: ['method'],
    select: { method: true },
  });
  const methods = new Set(rows.map((row) => row.method));
  return methodCodes.filter((method) => methods.has(method));
}

/** What is offered where some methods were named: those of them that are available; none named: all of these. */
export function availableOf(available: readonly MethodCode[], named: readonly string[]): MethodCode[] {
  return available.filter((method) => named.length === 0 || named.includes(method));
}
