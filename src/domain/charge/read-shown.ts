import { rowShape } from '../../kit/row-shape.ts';
import type { ShownRefund } from '../refund/refund-payload.ts';
import type { ShownCharge } from './charge-object.ts';

const ownShape = rowShape<Omit<ShownCharge, 'refunds'>>(
  [
    'id',
    'customerId',
    'email',
    'phone',
    'firstName',
    'lastName',
    'merchantAmount',
    'merchantCurrency',
    'customerAmount',
    'customerCurrency',
    'method',
    'status',
    'destination',
    'orders',
    'notifyPayload',
    'notifyUrl',
    'sessionId',
    'subscriptionId',
    'expiresAt',
    'createdAt',
    'updatedAt',
  ],
  { merchantAmount: 'bigint', customerAmount: 'bigint' },
);
const refundShape = rowShape<ShownRefund>(
  ['id', 'chargeId', 'customerAmount', 'customerCurrency', 'status', 'createdAt', 'updatedAt'],
  { customerAmount: 'bigint', createdAt: 'date', updatedAt: 'date' },
);

/**
 * What is shown of the charges in `charge`, with their refunds, as one statement reads it: what `chargeInclude` says,
 * for the reads that merchants' servers make all day.
 */
export const shownColumns = `${ownShape.columns('charge')}, (
    SELECT json_agg(${refundShape.json('refund')} ORDER BY refund.id DESC)
    FROM refund WHERE refund.charge_id = charge.id
  ) AS refunds`;

/** A row of `shownColumns`. */
export type ShownRow = Record<string, unknown> & { refunds: Record<string, unknown>[] | null };

export function readShown(row: ShownRow): ShownCharge {
  return { ...ownShape.read(row), refunds: (row.refunds ?? []).map(refundShape.read) };
}
