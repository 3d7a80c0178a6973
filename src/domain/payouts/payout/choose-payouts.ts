import type { Prisma, ReceivingAccount } from '../../../../prisma/client/client.ts';
import type { Tx } from '../../../kit/db.ts';
import { invalidInputError } from '../../../kit/errors.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';
import { getReceivingAccount } from '../../accounts/receiving-account/get-receiving-account.ts';
import { canPayByFile } from './pain-001.ts';

export type PayoutChoice = {
  /**
   * Restricts the file to these refunds. Defaults to all refunds that are ready to be paid from the paying
   * account or, if none is given, from the account of each charge.
   */
  refundIds?: readonly string[] | null | undefined;
  /**
   * The paying account, in the currency of the refunds. Defaults to the account to which each charge was
   * paid.
   */
  payingAccountId?: string | null | undefined;
  /** Includes refunds that are already in an earlier file. */
  includeExported?: boolean | null | undefined;
  format: string;
};

/** The maximum number of refunds in a file. All others go into the next file. */
const payoutsMax = 5_000;

/**
 * Chooses the refunds of a file and marks them as exported, so that concurrent requests never share a refund.
 * `exportedBefore` contains the refunds that had already been marked. Errors: `receiving_account_not_found`,
 * `invalid_request` if no refund matches.
 */
export async function choosePayouts(
  tx: Tx,
  options: MerchantScope & { choice: PayoutChoice; now: Date },
): Promise<{ refundIds: string[]; exportedBefore: string[] }> {
  const { merchantId, mode, choice, now } = options;
  const scope = { merchantId, mode };
  const { payingAccountId: id } = choice;
  const payingAccount = id == null ? undefined : await getReceivingAccount({ prisma: tx }, { ...scope, id });
  if (payingAccount && choice.format !== 'csv' && !canPayByFile(payingAccount)) {
    throw invalidInputError(
      '/payingAccountId',
      'must be an account whose number a payment file can contain; for this account, use the format csv',
    );
  }
  if (choice.format !== 'csv') await requireNoAlias(tx, { ...scope, choice });
  const where = buildPayoutFilter({ ...scope, choice, payingAccount });
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
    const exportedFilter = buildPayoutFilter({
      ...scope,
      choice: { ...choice, includeExported: true },
      payingAccount,
    });
    const message =
      (await tx.refund.count({ where: exportedFilter })) === 0
        ? 'matches no refunds that are ready to be paid'
        : 'matches only refunds that have already been exported; set includeExported to export them again';
    throw invalidInputError('', message, 'The request');
  }
  return { refundIds: [...newIds, ...exportedBefore].sort(), exportedBefore };
}

/** Payment files identify recipients by bank accounts only. Throws `invalid_request` for a chosen refund to an alias. */
async function requireNoAlias(
  tx: Tx,
  { merchantId, mode, choice: { refundIds } }: MerchantScope & { choice: PayoutChoice },
): Promise<void> {
  if (!refundIds) return;
  const where = { merchantId, mode, id: { in: [...refundIds] }, payoutScheme: { not: null } };
  if ((await tx.refund.count({ where })) === 0) return;
  throw invalidInputError(
    '/refundIds',
    'must not contain refunds to an alias, such as PayNow, because a payment file cannot; use the format csv',
  );
}

function buildPayoutFilter({
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
    ...(choice.format !== 'csv' && { payoutScheme: null }),
    ...(payingAccount && { customerCurrency: payingAccount.currency }),
    // Refunds chosen by ID may be paid from any account in their currency.
    ...(payingAccount && !refundIds && { charge: { receivingAccountId: payingAccount.id } }),
  };
}
