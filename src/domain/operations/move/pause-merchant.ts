import { setTimeout as delay } from 'node:timers/promises';
import type { Merchant } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { Clock } from '../../../kit/clock.ts';
import type { Db, Tx } from '../../../kit/db.ts';
import { minuteMs } from '../../../kit/duration.ts';
import { isLeaseFree } from '../../../kit/lease.ts';
import { type AuditActor, recordAudit } from '../../platform/audit/record-audit.ts';
import { lockMerchant } from '../../platform/merchant/lock-merchant.ts';
import { getMoveStep } from './merchant-move-state.ts';
import { requireMoveStep, transitionMerchantMove } from './transition-merchant-move.ts';

type PauseOptions = AuditActor & {
  merchantId: string;
  clock: Clock;
  onProgress: (line: string) => void;
  /** How long to wait for started work. */
  waitMsMax?: number;
};

const pollMs = 250;

/**
 * Pauses a merchant, so that it can be exported: first new work is rejected, then started work, such as deliveries,
 * imports and exports, finishes, then the database rejects every change of the merchant's rows. If work takes too long,
 * throws; the next call continues.
 */
export async function pauseMerchant(db: Db, options: PauseOptions): Promise<Merchant> {
  const { merchantId, clock, onProgress, waitMsMax = 5 * minuteMs } = options;
  await transact(db, async (uow) => {
    const merchant = await lockMerchant(uow.tx, merchantId, '/id');
    requireMoveStep(merchant, ['running', 'pausing', 'paused']);
    if (getMoveStep(merchant) !== 'running') return;
    await transitionMerchantMove(uow, merchant, 'pausing');
    const context = { actor: options.actor, ipAddress: options.ipAddress, now: clock.now() };
    await recordAudit(uow, { ...context, merchantId, action: 'merchant.paused', objectId: merchantId });
  });
  const waitUntilMs = performance.now() + waitMsMax;
  for (let rounds = 0; ; rounds++) {
    const paused = await tryToPause(db, merchantId, clock.now());
    if (paused) return paused;
    if (performance.now() > waitUntilMs)
      throw new Error(
        'Deliveries, messages, imports or exports of the merchant are still running. New ones are rejected. Run this command again to wait for them',
      );
    if (rounds === 0) onProgress('Waiting for started work');
    await delay(pollMs);
  }
}

/** Returns undefined while a process works on rows of the merchant. */
function tryToPause(db: Db, merchantId: string, now: Date): Promise<Merchant | undefined> {
  return transact(db, async (uow) => {
    const merchant = await lockMerchant(uow.tx, merchantId, '/id');
    requireMoveStep(merchant, ['pausing', 'paused']);
    if (getMoveStep(merchant) === 'paused') return merchant;
    if (await hasStartedWork(uow.tx, merchantId, now)) return undefined;
    // A worker that leased a webhook would release it later.
    await uow.tx.webhook.updateMany({ where: { merchantId }, data: { leasedBy: null, leasedUntil: null } });
    return transitionMerchantMove(uow, merchant, 'paused');
  });
}

async function hasStartedWork(tx: Tx, merchantId: string, now: Date): Promise<boolean> {
  const [row] = await tx.$queryRaw<{ isStarted: boolean }[]>`
    SELECT EXISTS (SELECT FROM notification WHERE merchant_id = ${merchantId} AND status = 'pending' AND NOT ${isLeaseFree(now)})
      OR EXISTS (SELECT FROM message WHERE merchant_id = ${merchantId} AND status = 'pending' AND NOT ${isLeaseFree(now)})
      OR EXISTS (SELECT FROM statement WHERE merchant_id = ${merchantId} AND status IN ('running', 'undoing') AND NOT ${isLeaseFree(now)})
      OR EXISTS (SELECT FROM bank_feed WHERE merchant_id = ${merchantId} AND NOT ${isLeaseFree(now)})
      OR EXISTS (SELECT FROM export WHERE merchant_id = ${merchantId} AND status = 'running' AND NOT ${isLeaseFree(now)})
      OR EXISTS (SELECT FROM merchant WHERE id = ${merchantId} AND test_clock_leased_until > ${now}) AS "isStarted"`;
  return row!.isStarted;
}
