import type { Tx } from '../../../kit/db.ts';
import type { Owner } from '../../../kit/owner.ts';
import { type MethodCode, methodCodes } from '../../../method/catalogue.ts';

/** The methods the merchant can receive on in this mode, in the order of the catalogue. */
export async function findAvailableMethods(
  { prisma }: { prisma: Pick<Tx, 'receivingAccount'> },
  options: Owner,
): Promise<MethodCode[]> {
  return (await findMethodsOfMany({ prisma }, [options]))(options);
}

/** The same for several merchants and modes, read at once. */
export async function findMethodsOfMany(
  { prisma }: { prisma: Pick<Tx, 'receivingAccount'> },
  owners: readonly Owner[],
): Promise<(owner: Owner) => MethodCode[]> {
  const rows = await prisma.receivingAccount.findMany({
    where: { merchantId: { in: [...new Set(owners.map(({ merchantId }) => merchantId))] }, status: 'active' },
    distinct: ['merchantId', 'mode', 'method'],
    select: { merchantId: true, mode: true, method: true },
  });
  const known = new Set(rows.map(({ merchantId, mode, method }) => `${merchantId} ${mode} ${method}`));
  return ({ merchantId, mode }) =>
    methodCodes.filter((method) => known.has(`${merchantId} ${mode} ${method}`));
}

/** What is offered where some methods were named: those of them that are available; none named: all of these. */
export function availableOf(available: readonly MethodCode[], named: readonly string[]): MethodCode[] {
  return available.filter((method) => named.length === 0 || named.includes(method));
}
