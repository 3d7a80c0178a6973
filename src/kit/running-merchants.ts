import { Prisma } from '../../prisma/client/client.ts';

/**
 * A condition on `merchant_id` that excludes merchants that do not run in this installation: they are paused for a
 * move, have moved, or were imported and not activated. Jobs that process all merchants need it, because the database
 * rejects changes of these rows.
 */
export const isOfRunningMerchantSql =
  'merchant_id <> ALL (ARRAY(SELECT merchant.id FROM merchant WHERE move_status IS NOT NULL))';

export const isOfRunningMerchant = Prisma.raw(isOfRunningMerchantSql);

/** A condition on `merchant_id` that excludes merchants that an operator disabled. Their customers cannot pay. */
export const isOfEnabledMerchant = Prisma.raw(
  'merchant_id <> ALL (ARRAY(SELECT merchant.id FROM merchant WHERE disabled_at IS NOT NULL))',
);
