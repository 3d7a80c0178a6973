import type { Db } from '../../kit/db.ts';
import type { Owner } from '../../kit/owner.ts';
import { type MethodCode, methodCodes } from '../../method/catalogue.ts';

/** The methods the merchant can receive on in this mode, in the order of the catalogue. */
export async function findAvailableMethods(db: Db, options: Owner): Promise<MethodCode[]> {
  const rows = await db.prisma.receivingAccount.findMany({
    where: { ...options, status: 'active' },
    distinct: ['method'],
    select: { method: true },
  });
  const methods = new Set(rows.map((row) => row.method));
  return methodCodes.filter((method) => methods.has(method));
}
