import type { BankFeed } from '../../../../prisma/client/client.ts';
import { announceChange } from '../../../event/announce-change.ts';
import { transact, type UnitOfWork } from '../../../event/unit-of-work.ts';
import type { Db } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { ScopedId } from '../../../kit/merchant-scope.ts';
import { type AuditContext, recordAudit } from '../../platform/audit/record-audit.ts';
import { lockBankFeed } from './open-bank-feed.ts';

/**
 * Schedules an immediate poll of a feed, or another one after the poll in progress. Errors: `bank_feed_not_found`,
 * `bank_feed_not_pollable` for a feed that only receives deliveries, or that is paused.
 */
export async function requestPoll(db: Db, options: ScopedId & AuditContext): Promise<BankFeed> {
  const { merchantId, mode, id, actor, ipAddress, now } = options;
  return transact(db, async (uow) => {
    const { nextPollAt, status } = await lockBankFeed(uow.tx, options);
    if (nextPollAt === null || status === 'paused')
      throw new DomainError(
        'bank_feed_not_pollable',
        status === 'paused'
          ? 'The feed is paused: resume it first'
          : 'The feed only receives deliveries, so it cannot be polled',
      );
    const feed = await schedulePoll(uow, { id, merchantId, mode }, now);
    await recordAudit(uow, {
      merchantId,
      mode,
      actor,
      ipAddress,
      objectId: id,
      now,
      action: 'bank_feed.polled',
    });
    return feed;
  });
}

/** Schedules a poll for now, and wakes the workers after the commit. */
export async function schedulePoll(
  uow: UnitOfWork,
  { id, merchantId, mode }: Pick<BankFeed, 'id' | 'merchantId' | 'mode'>,
  now: Date,
): Promise<BankFeed> {
  const feed = await uow.tx.bankFeed.update({ where: { id }, data: { nextPollAt: now } });
  announceChange(uow, { objectId: id, merchantId, mode });
  return feed;
}
