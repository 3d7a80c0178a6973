import { type Charge, Prisma } from '../../../prisma/client/client.ts';
import { columnOf } from '../../kit/insert-rows.ts';
import type { Sql } from '../../kit/sql.ts';

/** The columns of a charge, named as Prisma names its members: what every statement past Prisma reads. */
export const chargeColumns = Object.values(Prisma.ChargeScalarFieldEnum)
  .map((member) => `charge.${columnOf(member)} AS "${member}"`)
  .join(', ');

export async function readCharge(tx: Sql, id: string): Promise<Charge> {
  const [charge] = await tx.$queryRawUnsafe<Charge[]>(
    `SELECT ${chargeColumns} FROM charge WHERE id = $1`,
    id,
  );
  if (!charge) throw new Error(`There is no charge ${id}`);
  return charge;
}
