import type { Charge } from '../../../../prisma/client/client.ts';
import type { Tx } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { ScopedId } from '../../../kit/merchant-scope.ts';

export async function lockCharge(tx: Tx, options: ScopedId): Promise<Charge> {
  const { merchantId, mode, id } = options;
  await tx.$queryRaw`SELECT 1 FROM charge
    WHERE id = ${id} AND merchant_id = ${merchantId} AND mode = ${mode}::mode FOR UPDATE`;
  const charge = await tx.charge.findFirst({ where: { id, merchantId, mode } });
  if (!charge) throw new DomainError('charge_not_found', `Charge not found: ${id}`);
  return charge;
}
