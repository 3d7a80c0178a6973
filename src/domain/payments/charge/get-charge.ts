import type { Charge, Merchant, Prisma } from '../../../../prisma/client/client.ts';
import type { Db } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { ScopedId } from '../../../kit/merchant-scope.ts';
import { queryPrepared } from '../../../kit/sql.ts';
import type { Service } from '../../platform/service.ts';
import { isCancelToken } from '../customer-page/page-tokens.ts';
import {
  buildChargeSelectList,
  type ChargeRecord,
  type ChargeRelations,
  type ChargeWithRefunds,
  type ChargeWithRelations,
  toCharge,
} from './read-charge.ts';

/** The relations that the API includes in a charge. */
export const chargeInclude = { refunds: { orderBy: { id: 'desc' } } } as const satisfies Prisma.ChargeInclude;

export async function getCharge(db: Db, options: ScopedId): Promise<ChargeWithRefunds> {
  const charge = await findCharge(db, options, { refunds: true });
  if (!charge) throw new DomainError('charge_not_found', `Charge not found: ${options.id}`);
  return charge as ChargeWithRefunds;
}

export async function findCharge(
  db: Pick<Db, 'pool'>,
  { id, merchantId, mode }: ScopedId,
  relations: ChargeRelations,
): Promise<ChargeWithRelations | null> {
  const text = `SELECT ${buildChargeSelectList(relations)} FROM charge
    WHERE charge.id = $1 AND charge.merchant_id = $2 AND charge.mode = $3::mode`;
  const [record] = await queryPrepared<ChargeRecord>(db.pool, text, [id, merchantId, mode]);
  return record ? toCharge(record) : null;
}

/**
 * Returns the charge that a cancel token authorizes. Throws `unauthenticated` for a wrong token or an unknown
 * charge.
 */
export async function getChargeByCancelToken(
  service: Service,
  { id, token }: { id: string; token: string },
): Promise<Charge & { merchant: Merchant }> {
  const charge = await service.prisma.charge.findUnique({ where: { id }, include: { merchant: true } });
  if (!charge || !isCancelToken(service.secrets, charge, token))
    throw new DomainError('unauthenticated', 'The cancel token does not belong to this charge');
  return charge;
}
