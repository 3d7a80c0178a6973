import type { Mode, Prisma } from '../../../prisma/client/client.ts';
import type { Db } from '../../kit/db.ts';
import { DomainError } from '../../kit/errors.ts';

/** What the interface shows of a charge: the row and its refunds, newest first. */
export const chargeInclude = { refunds: { orderBy: { id: 'desc' } } } as const satisfies Prisma.ChargeInclude;

export type ChargeWithRefunds = Prisma.ChargeGetPayload<{ include: typeof chargeInclude }>;

/** One charge of the merchant in this mode. Error: `charge_not_found`. */
export async function getCharge(
  db: Db,
  options: { merchantId: string; mode: Mode; id: string },
): Promise<ChargeWithRefunds> {
  const { merchantId, mode, id } = options;
  const charge = await db.prisma.charge.findFirst({
    where: { id, merchantId, mode },
    include: chargeInclude,
  });
  if (!charge) throw new DomainError('charge_not_found', `There is no charge ${id}`);
  return charge;
}
