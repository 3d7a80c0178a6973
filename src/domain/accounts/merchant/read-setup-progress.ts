import type { Db } from '../../../kit/db.ts';

/** The steps to the first live payment that a merchant has completed. */
export type SetupProgress = {
  hasReceivingAccount: boolean;
  hasTestPayment: boolean;
  hasTestCheckout: boolean;
  hasTransferSource: boolean;
  hasWebhook: boolean;
  hasTeam: boolean;
  hasLivePayment: boolean;
};

/** Reads the progress from the merchant's data in both modes. Each condition stops at the first row of an index. */
export async function readSetupProgress(
  { prisma }: Pick<Db, 'prisma'>,
  merchantId: string,
): Promise<SetupProgress> {
  const [progress] = await prisma.$queryRaw<SetupProgress[]>`
    SELECT
      EXISTS (SELECT FROM receiving_account WHERE merchant_id = ${merchantId} AND mode = 'live' AND status = 'active'
        AND NOT demo)
        AS "hasReceivingAccount",
      EXISTS (SELECT FROM charge WHERE merchant_id = ${merchantId} AND mode = 'sandbox' AND status = 'completed')
        AS "hasTestPayment",
      EXISTS (SELECT FROM checkout_link link JOIN charge ON charge.checkout_link_id = link.id
        WHERE link.merchant_id = ${merchantId} AND link.mode = 'sandbox') AS "hasTestCheckout",
      EXISTS (SELECT FROM bank_feed WHERE merchant_id = ${merchantId} AND mode = 'live' AND deleted_at IS NULL)
        OR EXISTS (SELECT FROM statement WHERE merchant_id = ${merchantId} AND mode = 'live')
        OR EXISTS (SELECT FROM transfer WHERE merchant_id = ${merchantId} AND mode = 'live')
        AS "hasTransferSource",
      EXISTS (SELECT FROM webhook WHERE merchant_id = ${merchantId} AND mode = 'live'
        AND deleted_at IS NULL AND disabled_at IS NULL) AS "hasWebhook",
      (SELECT count(*) > 1 FROM merchant_user WHERE merchant_id = ${merchantId} AND removed_at IS NULL)
        OR EXISTS (SELECT FROM user_invitation WHERE merchant_id = ${merchantId}) AS "hasTeam",
      EXISTS (SELECT FROM charge WHERE merchant_id = ${merchantId} AND mode = 'live' AND status = 'completed')
        AS "hasLivePayment"`;
  return progress!;
}
