import type { Merchant, Mode, ReceivingAccount } from '../../../prisma/client/client.ts';
import { dayStart, nextDay } from '../../kit/day-start.ts';
import type { Db } from '../../kit/db.ts';
import { invalidInput } from '../../kit/errors.ts';
import { readMovements, type Sums } from './read-movements.ts';

/** One account and currency over the days. Minor units. */
export type ReconciliationLine = Omit<Sums, 'before'> & {
  account: ReceivingAccount;
  currency: string;
  opening: bigint;
  closing: bigint;
};

/** The days are those of the merchant's calendar, both included. */
export type Reconciliation = {
  from: string;
  to: string;
  timeZone: string;
  start: Date;
  end: Date;
  lines: ReconciliationLine[];
};

/**
 * What the merchant's accounts received and gave back over some days, as it stands now: money counts on the day it was
 * paid, for what it counts at present. Of each line
 *   opening + received − returned − refunded = closing
 *   received = matched + partial + exceptions + returned
 * Money that went out for anything but a refund (`otherOutgoing`) is told beside, and is no part of them. Error:
 * `invalid_request`.
 */
export async function reconcile(
  db: Db,
  options: {
    merchant: Merchant;
    mode: Mode;
    from: string;
    to: string;
    receivingAccountId?: string | undefined;
  },
): Promise<Reconciliation> {
  const { merchant, mode, from, to } = options;
  if (to < from) throw invalidInput('/to', 'must not be before the first day');
  const { timeZone } = merchant;
  const [start, end] = [dayStart(from, timeZone), dayStart(nextDay(to), timeZone)];
  const days = { firstDay: new Date(`${from}T00:00:00Z`), dayAfter: new Date(`${nextDay(to)}T00:00:00Z`) };
  const owner = { merchantId: merchant.id, mode };
  const sums = await readMovements(db, { ...owner, start, end, ...days });
  const accounts = await db.prisma.receivingAccount.findMany({
    where: { ...owner, id: options.receivingAccountId ?? { in: sums.map(({ accountId }) => accountId) } },
    orderBy: [{ currency: 'asc' }, { id: 'asc' }],
  });
  const lines = accounts.flatMap((account) =>
    sums
      .filter(({ accountId }) => accountId === account.id)
      .map(({ accountId: _, currency, before, ...over }) => ({
        account,
        currency,
        opening: before,
        ...over,
        closing: before + over.received - over.returned - over.refunded,
      })),
  );
  return { from, to, timeZone, start, end, lines };
}
