import type { Prisma } from '../../../../prisma/client/client.ts';
import type { Db } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { Owned } from '../../../kit/owner.ts';
import { queryNamed } from '../../../kit/sql.ts';
import {
  type ChargeParts,
  type ChargeRecord,
  type ChargeWithRefunds,
  chargeList,
  type ReadCharge,
  toCharge,
} from './read-charge.ts';

/** What the interface shows of a charge: the row and its refunds, newest first. */
export const chargeInclude = { refunds: { orderBy: { id: 'desc' } } } as const satisfies Prisma.ChargeInclude;

/** One charge of the merchant in this mode. Error: `charge_not_found`. */
export async function getCharge(db: Db, options: Owned): Promise<ChargeWithRefunds> {
  const charge = await findCharge(db, options, { refunds: true });
  if (!charge) throw new DomainError('charge_not_found', `Charge not found: ${options.id}`);
  return charge as ChargeWithRefunds;
}

/** The same with these relations; null where there is none. */
export async function findCharge(
  db: Pick<Db, 'pool'>,
  { id, merchantId, mode }: Owned,
  parts: ChargeParts,
): Promise<ReadCharge | null> {
  const text = `SELECT ${chargeList(parts)} FROM charge
    WHERE charge.id = $1 AND charge.merchant_id = $2 AND charge.mode = $3::mode`;
  const [record] = await queryNamed<ChargeRecord>(db.pool, text, [id, merchantId, mode]);
  return record ? toCharge(record) : null;
}
