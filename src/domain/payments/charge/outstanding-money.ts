import { type Charge, Prisma, type ReceivingAccount } from '../../../../prisma/client/client.ts';
import type { Money } from '../../../kit/money.ts';
import type { Sql } from '../../../kit/sql.ts';
import { type MethodCode, paymentMethods } from '../../../method/catalog.ts';
import { roundUpToPayable } from '../../../method/payable-amount.ts';
import { sharedIdsSql } from '../../accounts/receiving-account/bank-account.ts';

type PaidCharge = Pick<Charge, 'method' | 'customerAmount' | 'amountReceived' | 'customerCurrency'>;

/** Returns the remaining amount of a charge, rounded up to the method's payable unit. */
export function getOutstandingMoney(charge: PaidCharge): Money {
  const { customerAmount, amountReceived, customerCurrency: currency } = charge;
  const remainingMinor = customerAmount - amountReceived;
  if (remainingMinor <= 0n) return { minor: 0n, currency };
  return roundUpToPayable({ minor: remainingMinor, currency }, paymentMethods[charge.method as MethodCode]);
}

/** A partly paid charge, whose page asks for the outstanding amount. */
export type PartlyPaidCharge = PaidCharge & Pick<Charge, 'createdAt' | 'expiresAt'>;

/**
 * Returns the partly paid charges of the bank account that can be paid at some time from `since` to `until`. They are
 * few, because a charge releases its part payments when it ends.
 */
export function readPartlyPaidCharges(
  tx: Sql,
  { merchantId, mode, id }: Pick<ReceivingAccount, 'merchantId' | 'mode' | 'id'>,
  { since, until }: { since: Date; until: Date },
): Promise<PartlyPaidCharge[]> {
  const times = [since.toISOString(), until.toISOString()];
  return tx.$queryRawUnsafe<PartlyPaidCharge[]>(partlyPaidSql, id, merchantId, mode, ...times);
}

const partlyPaidSql = `
  SELECT method, customer_amount AS "customerAmount", amount_received AS "amountReceived",
    customer_currency AS "customerCurrency", created_at AS "createdAt", expires_at AS "expiresAt"
  FROM charge
  WHERE receiving_account_id = ANY (ARRAY(${sharedIdsSql(Prisma.raw('$1')).sql}))
    AND merchant_id = $2 AND mode = $3::mode AND completed_at IS NULL AND amount_received > 0
    AND expires_at >= $4::timestamptz AND created_at <= $5::timestamptz`;
