import type { RefundStatus } from '../../../prisma/client/client.ts';
import type { ShownCharge } from './charge-object.ts';

/**
 * What is shown of the charges in `charge`, with their refunds, as one statement reads it: what `chargeInclude` says,
 * for the reads that merchants' servers make all day. Amounts come as text, a refund's times as ISO 8601.
 */
export const shownColumns = `
  charge.id, charge.customer_id AS "customerId", charge.email, charge.phone, charge.first_name AS "firstName",
  charge.last_name AS "lastName", charge.merchant_amount AS "merchantAmount",
  charge.merchant_currency AS "merchantCurrency", charge.customer_amount AS "customerAmount",
  charge.customer_currency AS "customerCurrency", charge.method, charge.status, charge.destination, charge.orders,
  charge.notify_payload AS "notifyPayload", charge.notify_url AS "notifyUrl", charge.session_id AS "sessionId",
  charge.subscription_id AS "subscriptionId", charge.expires_at AS "expiresAt", charge.created_at AS "createdAt",
  charge.updated_at AS "updatedAt", (
    SELECT json_agg(json_build_object('id', refund.id, 'customerAmount', refund.customer_amount::text,
      'customerCurrency', refund.customer_currency, 'status', refund.status,
      'createdAt', refund.created_at, 'updatedAt', refund.updated_at) ORDER BY refund.id DESC)
    FROM refund WHERE refund.charge_id = charge.id
  ) AS refunds`;

type RefundRow = {
  id: string;
  customerAmount: string;
  customerCurrency: string;
  status: RefundStatus;
  createdAt: string;
  updatedAt: string;
};

/** A row of `shownColumns`. */
export type ShownRow = Omit<ShownCharge, 'merchantAmount' | 'customerAmount' | 'refunds'> & {
  merchantAmount: string;
  customerAmount: string;
  refunds: RefundRow[] | null;
};

export function readShown(row: ShownRow): ShownCharge {
  return {
    ...row,
    merchantAmount: BigInt(row.merchantAmount),
    customerAmount: BigInt(row.customerAmount),
    refunds: (row.refunds ?? []).map((refund) => ({
      ...refund,
      chargeId: row.id,
      customerAmount: BigInt(refund.customerAmount),
      createdAt: new Date(refund.createdAt),
      updatedAt: new Date(refund.updatedAt),
    })),
  };
}
