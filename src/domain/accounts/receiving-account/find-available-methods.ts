import type { Tx } from '../../../kit/db.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';
import { type MethodCode, methodCodes } from '../../../method/catalogue.ts';

/** Returns the methods with an active account in this mode, in catalog order. */
export async function findAvailableMethods(
  { prisma }: { prisma: Pick<Tx, 'receivingAccount'> },
  options: MerchantScope,
): Promise<MethodCode[]> {
  return (await findMethodsForOwners({ prisma }, [options]))(options);
}

/** Like `findAvailableMethods`, for several merchants and modes in one query. */
export async function findMethodsForOwners(
  { prisma }: { prisma: Pick<Tx, 'receivingAccount'> },
  owners: readonly MerchantScope[],
): Promise<(owner: MerchantScope) => MethodCode[]> {
  const rows = await prisma.receivingAccount.findMany({
    where: { merchantId: { in: [...new Set(owners.map(({ merchantId }) => merchantId))] }, status: 'active' },
    distinct: ['merchantId', 'mode', 'method'],
    select: { merchantId: true, mode: true, method: true },
  });
  const activeKeys = new Set(rows.map(({ merchantId, mode, method }) => `${merchantId} ${mode} ${method}`));
  return ({ merchantId, mode }) =>
    methodCodes.filter((method) => activeKeys.has(`${merchantId} ${mode} ${method}`));
}

/** Returns the available methods that are selected; an empty selection selects all. */
export function filterAvailableMethods(
  available: readonly MethodCode[],
  selection: readonly string[],
): MethodCode[] {
  return available.filter((method) => selection.length === 0 || selection.includes(method));
}
