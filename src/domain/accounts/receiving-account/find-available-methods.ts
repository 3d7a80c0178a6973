import type { Tx } from '../../../kit/db.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';
import { type MethodCode, methodCodes } from '../../../method/catalogue.ts';

/** The methods the merchant can receive on in this mode, in the order of the catalogue. */
export async function findAvailableMethods(
  { prisma }: { prisma: Pick<Tx, 'receivingAccount'> },
  options: MerchantScope,
): Promise<MethodCode[]> {
  return (await findMethodsForOwners({ prisma }, [options]))(options);
}

/** The same for several merchants and modes, read at once. */
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

/** What is offered where some methods were named: those of them that are available; none named: all of these. */
export function filterAvailableMethods(
  available: readonly MethodCode[],
  selection: readonly string[],
): MethodCode[] {
  return available.filter((method) => selection.length === 0 || selection.includes(method));
}
