import type { Prisma, ReceivingAccount } from '../../../../prisma/client/client.ts';
import type { Tx } from '../../../kit/db.ts';
import { invalidInput } from '../../../kit/errors.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';
import { getReceivingAccount } from '../../accounts/receiving-account/get-receiving-account.ts';
import { canPayByFile } from './pain-001.ts';

export type PayoutChoice = {
  /**
   * Restricts the file to these refunds. Defaults to all refunds to pay from the paying account, or from each
   * charge's own account.
   */
  refundIds?: readonly string[] | null | undefined;
  /** The paying account, in the refunds' currency. Defaults to the account that each charge was paid to. */
  payingAccountId?: string | null | undefined;
  /** Includes refunds that an earlier file contains. */
  includeExported?: boolean | null | undefined;
  format: string;
};

/** The remaining refunds go into the next file. */
const payoutsMax = 5_000;

/**
 * Chooses the refunds of a file and marks them as exported, so that concurrent requests never share a refund.
 * `exportedBefore` lists those that were already marked. Errors: `receiving_account_not_found`,
 * `invalid_request` if nothing matches.
 */
export async function choosePayouts(
  tx: Tx,
  options: MerchantScope & { choice: PayoutChoice; now: Date },
): Promise<{ refundIds: string[]; exportedBefore: string[] }> {
  const { merchantId, mode, choice, now } = options;
  const owner = { merchantId, mode };
  const { payingAccountId: id } = choice;
  const payingAccount = id == null ? undefined : await getReceivingAccount({ prisma: tx }, { ...owner, id });
  if (payingAccount && choice.format !== 'csv' && !canPayByFile(payingAccount)) {
    throw invalidInput(
      '/payingAccountId',
      'has an account number that a payment file cannot contain: export CSV instead',
    );
  }
  const where = payoutWhere({ ...owner, choice, payingAccount });
  const candidates = await tx.refund.findMany({
    where,
    select: { id: true },
    orderBy: { id: 'asc' },
    take: payoutsMax,
  });
  const markExported = async (ids: string[], condition: Prisma.RefundWhereInput): Promise<string[]> => {
    const refunds = await tx.refund.updateManyAndReturn({
      where: { AND: [where, condition, { id: { in: ids } }] },
      data: { payoutExportedAt: now },
      select: { id: true },
    });
    return refunds.map(({ id }) => id);
  };
  const ids = candidates.map(({ id }) => id);
  const newIds = new Set(await markExported(ids, { payoutExportedAt: null }));
  const remainingIds = choice.includeExported ? ids.filter((id) => !newIds.has(id)) : [];
  const exportedBefore = await markExported(remainingIds, { payoutExportedAt: { not: null } });
  if (newIds.size + exportedBefore.length === 0) {
    const message = choice.includeExported
      ? 'selects no refunds to pay'
      : 'selects no refunds to pay that were not already exported';
    throw invalidInput('', message);
  }
  return { refundIds: [...newIds, ...exportedBefore].sort(), exportedBefore };
}

function payoutWhere({
  merchantId,
  mode,
  choice,
  payingAccount,
}: MerchantScope & {
  choice: PayoutChoice;
  payingAccount: ReceivingAccount | undefined;
}): Prisma.RefundWhereInput {
  const { refundIds } = choice;
  return {
    merchantId,
    mode,
    status: 'processing',
    ...(!choice.includeExported && { payoutExportedAt: null }),
    ...(refundIds && { id: { in: [...refundIds] } }),
    ...(payingAccount && { customerCurrency: payingAccount.currency }),
    // Refunds chosen by ID may be paid from any account in their currency.
    ...(payingAccount && !refundIds && { charge: { receivingAccountId: payingAccount.id } }),
  };
}
