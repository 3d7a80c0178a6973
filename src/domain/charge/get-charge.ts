import type { Prisma } from '../../../prisma/client/client.ts';
import type { Db } from '../../kit/db.ts';
import { DomainError } from '../../kit/errors.ts';
import type { Owned } from '../../kit/owner.ts';
import { queryNamed } from '../../kit/sql.ts';
import type { ShownCharge } from './charge-object.ts';
import { readShown, type ShownRow, shownColumns } from './read-shown.ts';

/** What the interface shows of a charge: the row and its refunds, newest first. */
export const chargeInclude = { refunds: { orderBy: { id: 'desc' } } } as const satisfies Prisma.ChargeInclude;

export type ChargeWithRefunds = Prisma.ChargeGetPayload<{ include: typeof chargeInclude }>;

const oneCharge = `
  SELECT ${shownColumns} FROM charge WHERE charge.id = $1 AND charge.merchant_id = $2 AND charge.mode = $3`;

/** One charge of the merchant in this mode. Error: `charge_not_found`. */
export async function getCharge(db: Db, options: Owned): Promise<ShownCharge> {
  const { merchantId, mode, id } = options;
  const [row] = await queryNamed<ShownRow>(db.pool, oneCharge, [id, merchantId, mode]);
  if (!row) throw new DomainError('charge_not_found', `There is no charge ${id}`);
  return readShown(row);
}
