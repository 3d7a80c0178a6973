import type { Prisma, ReceivingAccount } from '../../../../prisma/client/client.ts';
import type { Tx } from '../../../kit/db.ts';
import { invalidInput } from '../../../kit/errors.ts';
import type { Owner } from '../../../kit/owner.ts';
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
  options: Owner & { choice: PayoutChoice; now: Date },
): Promise<{ refundIds: string[]; exportedBefore: string[] }> {
  const { merchantId, mode, choice, now } = options;
  const owner = { merchantId, mode };
  const { payingAccountId: id } = choice;
  const paying = id == null ? undefined : await getReceivingAccount({ prisma: tx }, { ...owner, id });
  if (paying && choice.format !== 'csv' && !canPayByFile(paying)) {
    throw invalidInput(
      '/payingAccountId',
      'has an account number that a payment file cannot contain: export CSV instead',
    );
  }
  const where = payoutWhere({ ...owner, choice, paying });
  const found = await tx.refund.findMany({
    where,
    select: { id: true },
    orderBy: { id: 'asc' },
    take: payoutsMax,
  });
  const mark = async (ids: string[], before: Prisma.RefundWhereInput): Promise<string[]> => {
    const marked = await tx.refund.updateManyAndReturn({
      where: { AND: [where, before, { id: { in: ids } }] },
      data: { payoutExportedAt: now },
      select: { id: true },
    });
    return marked.map(({ id }) => id);
  };
  const ids = found.map(({ id }) => id);
  const fresh = new Set(await mark(ids, { payoutExportedAt: null }));
  const rest = choice.includeExported ? ids.filter((id) => !fresh.has(id)) : [];
  const exportedBefore = await mark(rest, { payoutExportedAt: { not: null } });
  if (fresh.size + exportedBefore.length === 0) {
    const why = choice.includeExported
      ? 'selects no refunds to pay'
      : 'selects no refunds to pay that were not already exported';
    throw invalidInput('', why);
  }
  return { refundIds: [...fresh, ...exportedBefore].sort(), exportedBefore };
}

function payoutWhere({
  merchantId,
  mode,
  choice,
  paying,
}: Owner & { choice: PayoutChoice; paying: ReceivingAccount | undefined }): Prisma.RefundWhereInput {
  const { refundIds } = choice;
  return {
    merchantId,
    mode,
    status: 'processing',
    ...(!choice.includeExported && { payoutExportedAt: null }),
    ...(refundIds && { id: { in: [...refundIds] } }),
    ...(paying && { customerCurrency: paying.currency }),
    // Named one by one they may be paid from any account of their currency.
    ...(paying && !refundIds && { charge: { receivingAccountId: paying.id } }),
  };
}
