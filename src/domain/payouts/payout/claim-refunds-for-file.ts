import type { Prisma, ReceivingAccount } from '../../../../prisma/client/client.ts';
import type { Tx } from '../../../kit/db.ts';
import { invalidInputError } from '../../../kit/errors.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';
import { getReceivingAccount } from '../../accounts/receiving-account/get-receiving-account.ts';
import { canPayByFile } from './pain-001.ts';

export type PayoutFileInput = {
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
 * Claims the refunds of a file: marks them as exported, so that concurrent requests never share a refund.
 * `exportedBefore` contains the refunds that had already been marked. Errors: `receiving_account_not_found`,
 * `invalid_request` if no refund matches.
 */
export async function claimRefundsForFile(
  tx: Tx,
  options: MerchantScope & { input: PayoutFileInput; now: Date },
): Promise<{ refundIds: string[]; exportedBefore: string[] }> {
  const { merchantId, mode, input, now } = options;
  const scope = { merchantId, mode };
  const { payingAccountId: id } = input;
  const payingAccount = id == null ? undefined : await getReceivingAccount({ prisma: tx }, { ...scope, id });
  if (payingAccount && input.format !== 'csv' && !canPayByFile(payingAccount)) {
    throw invalidInputError(
      '/payingAccountId',
      'must be an account whose number a payment file can contain; for this account, use the format csv',
    );
  }
  if (input.format !== 'csv') await requireNoAlias(tx, { ...scope, input });
  const where = buildPayoutFilter({ ...scope, input, payingAccount });
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
  const remainingIds = input.includeExported ? ids.filter((id) => !newIds.has(id)) : [];
  const exportedBefore = await markExported(remainingIds, { payoutExportedAt: { not: null } });
  if (newIds.size + exportedBefore.length === 0) {
    const exportedFilter = buildPayoutFilter({
      ...scope,
      input: { ...input, includeExported: true },
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

/**
 * Payment files identify recipients by bank accounts only. Throws `invalid_request` for a chosen refund to an
 * alias.
 */
async function requireNoAlias(
  tx: Tx,
  { merchantId, mode, input: { refundIds } }: MerchantScope & { input: PayoutFileInput },
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
  input,
  payingAccount,
}: MerchantScope & {
  input: PayoutFileInput;
  payingAccount: ReceivingAccount | undefined;
}): Prisma.RefundWhereInput {
  const { refundIds } = input;
  return {
    merchantId,
    mode,
    status: 'processing',
    ...(!input.includeExported && { payoutExportedAt: null }),
    ...(refundIds && { id: { in: [...refundIds] } }),
    ...(input.format !== 'csv' && { payoutScheme: null }),
    ...(payingAccount && { customerCurrency: payingAccount.currency }),
    // Refunds chosen by ID may be paid from any account in their currency.
    ...(payingAccount && !refundIds && { receivingAccountId: payingAccount.id }),
  };
}
