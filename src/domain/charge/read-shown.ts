import { everyMember, rowShape } from '../../kit/row-shape.ts';
import type { ShownRefund } from '../refund/refund-payload.ts';
import type { ShownCharge } from './charge-object.ts';

type Own = Omit<ShownCharge, 'refunds'>;
const ownShape = rowShape<Own>(
  everyMember<Own>({
    id: true,
    customerId: true,
    email: true,
    phone: true,
    firstName: true,
    lastName: true,
    merchantAmount: true,
    merchantCurrency: true,
    customerAmount: true,
    customerCurrency: true,
    method: true,
    status: true,
    destination: true,
    orders: true,
    notifyPayload: true,
    notifyUrl: true,
    sessionId: true,
    subscriptionId: true,
    expiresAt: true,
    createdAt: true,
    updatedAt: true,
  }),
  { merchantAmount: 'bigint', customerAmount: 'bigint' },
);
const refundShape = rowShape<ShownRefund>(
  everyMember<ShownRefund>({
    id: true,
    chargeId: true,
    customerAmount: true,
    customerCurrency: true,
    status: true,
    createdAt: true,
    updatedAt: true,
  }),
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
