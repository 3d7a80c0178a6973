import type { Prisma, ReceivingAccount } from '../../../../prisma/client/client.ts';
import type { Tx } from '../../../kit/db.ts';
import { invalidInput } from '../../../kit/errors.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';
import { getReceivingAccount } from '../../accounts/receiving-account/get-receiving-account.ts';
import { canPayByFile } from './pain-001.ts';

export type PayoutChoice = {
  /** Only these; left out: all that are to be paid from the account, or from each charge's own. */
  refundIds?: readonly string[] | null | undefined;
  /** The account that pays, of the refunds' currency; left out: the one that each charge was paid to. */
  payingAccountId?: string | null | undefined;
  /** Those that were written into a file before, once more. */
  includeExported?: boolean | null | undefined;
  format: string;
};

/** More go into the next file. */
const payoutsMax = 5_000;

/**
 * Chooses the refunds of one file and marks them as exported, so that two files asked for at once never hold the same
 * one; `exportedBefore` names those that were marked already. Errors: `receiving_account_not_found`, `invalid_request`
 * when nothing fits.
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
    // Named one by one they may be paid from any account of their currency.
    ...(payingAccount && !refundIds && { charge: { receivingAccountId: payingAccount.id } }),
  };
}
