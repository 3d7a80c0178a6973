import type { Tx } from '../../../kit/db.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';
import { type MethodCode, methodCodes } from '../../../method/catalog.ts';

/** Returns the methods with an active account in this mode, in catalog order. */
export async function findAvailableMethods(
  { prisma }: { prisma: Pick<Tx, 'receivingAccount'> },
  options: MerchantScope,
): Promise<MethodCode[]> {
  return (await findMethodsForScopes({ prisma }, [options]))(options);
}

/**
 * Loads the available methods of several merchants and modes with one query. Returns a function that looks up
 * the methods of one merchant and mode.
 */
export async function findMethodsForScopes(
  { prisma }: { prisma: Pick<Tx, 'receivingAccount'> },
  scopes: readonly MerchantScope[],
): Promise<(scope: MerchantScope) => MethodCode[]> {
  const rows = await prisma.receivingAccount.findMany({
    where: { merchantId: { in: [...new Set(scopes.map(({ merchantId }) => merchantId))] }, status: 'active' },
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
