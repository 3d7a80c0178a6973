import type { Merchant } from '../../../../prisma/client/client.ts';
import { formatNotice } from '../../../event/notice.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { Clock, MerchantTime } from '../../../kit/clock.ts';
import { minuteMs } from '../../../kit/duration.ts';
import { DomainError, invalidInputError } from '../../../kit/errors.ts';
import { getLeaseEnd, isLeaseActive } from '../../../kit/lease.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';
import { isOfEnabledMerchant } from '../../../kit/running-merchants.ts';
import { renewSubscriptions } from '../../billing/collection/renew-subscriptions.ts';
import { expireCharges } from '../../payments/charge/expire-charges.ts';
import { expireSessions } from '../../payments/session/expire-sessions.ts';
import { type Audited, recordAudit } from '../../platform/audit/record-audit.ts';
import { merchantNow, shiftTime } from '../../platform/clock/merchant-now.ts';
import { lockMerchant } from '../../platform/merchant/lock-merchant.ts';
import type { Service } from '../../platform/service.ts';

/**
 * How long a call may hold the clock without renewing its lease, so that a killed call blocks the clock only
 * briefly.
 */
const leaseMs = minuteMs;
const yearsAheadMax = 10;
/**
 * The latest time of a test clock. Dates derived from it, such as those of plans over centuries, stay within
 * four-digit years.
 */
const latestTime = new Date('2100-01-01T00:00:00.000Z');

type AdvanceTestClockOptions = MerchantScope & Audited & { advanceTo: Date; clock: Clock };

/**
 * Advances the test clock of a merchant's sandbox. Before returning, processes everything that falls due, in
 * order, each action at the time at which it is due. Errors: `sandbox_only`, `invalid_request` for a time that
 * is not ahead, too far ahead or beyond 2100, `test_clock_running` while another call advances the clock.
 */
export async function advanceTestClock(
  service: Service,
  options: AdvanceTestClockOptions,
): Promise<Merchant> {
  const { merchantId, mode, advanceTo: to, clock } = options;
  if (mode !== 'sandbox')
    throw new DomainError('sandbox_only', 'Test clocks are available only in the sandbox');
  const claimedMerchant = await claimClock(service, options);
  let lease = claimedMerchant.testClockLeasedUntil as Date;
  const moveClock = async (time: Date): Promise<Merchant> => {
    const { merchant, leasedUntil } = await setClock(service, options, { time, lease });
    lease = leasedUntil;
    return merchant;
  };
  try {
    for (;;) {
      const due = await findNextDue(service, merchantId, to);
      if (!due) break;
      const { testClockOffsetMs } = await moveClock(due);
      // An action that was already overdue is processed at the current time of the test clock.
      const currentTime = shiftTime(clock.now(), testClockOffsetMs);
      const scope = {
        now: currentTime > due ? currentTime : due,
        systemNow: clock.now(),
        onlyMerchantId: merchantId,
      };
      await expireCharges(service, scope);
      await expireSessions(service, scope);
      await renewSubscriptions(service, scope);
    }
    return await moveClock(to);
  } finally {
    await releaseClock(service, merchantId, lease);
  }
}

/**
 * Claims the clock for this call. Uses one transaction, so that an invalid time leaves neither a lease nor an
 * audit entry.
 */
async function claimClock(
  service: Service,
  { merchantId, mode, advanceTo: to, clock, audit }: AdvanceTestClockOptions,
): Promise<Merchant> {
  return transact(service, async (uow) => {
    const merchant = await lockMerchant(uow.tx, merchantId);
    const { id, testClockLeasedUntil } = merchant;
    const now = clock.now();
    if (isLeaseActive(testClockLeasedUntil, now)) throw new DomainError('test_clock_running');
    checkTarget(to, merchantNow(now, merchant, mode));
    const data = { testClockTarget: to, testClockLeasedUntil: getLeaseEnd(now, leaseMs) };
    // A test clock is part of its merchant, so the merchant is the object of the audit entry.
    if (audit)
      await recordAudit(uow, { ...audit, merchantId, mode, action: 'test_clock.advanced', objectId: id });
    return uow.tx.merchant.update({ where: { id }, data });
  });
}

function checkTarget(to: Date, now: MerchantTime): void {
  const latest = new Date(now);
  latest.setUTCFullYear(latest.getUTCFullYear() + yearsAheadMax);
  if (to <= now)
    throw invalidInputError('/advanceTo', `must be after the clock's current time, ${now.toISOString()}`);
  if (to > latestTime) throw invalidInputError('/advanceTo', `must not be after ${latestTime.toISOString()}`);
  if (to > latest)
    throw invalidInputError(
      '/advanceTo',
      `must be at most ${yearsAheadMax} years after the clock's current time`,
    );
}

/**
 * Returns when the next action is due, or null if none is due until `until`. Charges and sessions can still
 * be used at the moment of their expiry, so they are due a millisecond later.
 */
async function findNextDue(service: Service, merchantId: string, until: Date): Promise<Date | null> {
  const [row] = await service.prisma.$queryRaw<{ due: Date | null }[]>`
    SELECT min(due) AS due FROM (
      SELECT min(expires_at) + interval '1 millisecond' AS due FROM charge
        WHERE merchant_id = ${merchantId} AND mode = 'sandbox' AND status = 'pending'
      UNION ALL SELECT min(expires_at) + interval '1 millisecond' FROM checkout_session
        WHERE merchant_id = ${merchantId} AND mode = 'sandbox' AND status IN ('created', 'initiated')
      UNION ALL SELECT min(due_at) FROM subscription
        WHERE merchant_id = ${merchantId} AND mode = 'sandbox' AND due_at IS NOT NULL
          AND ${isOfEnabledMerchant}) AS next`;
  const due = row?.due ?? null;
  return due !== null && due <= until ? due : null;
}

/**
 * Sets the clock, but never backward, and renews the lease. Throws if the lease has expired and another call
 * has claimed the clock.
 */
async function setClock(
  service: Service,
  { merchantId, clock }: AdvanceTestClockOptions,
  { time, lease }: { time: Date; lease: Date },
): Promise<{ merchant: Merchant; leasedUntil: Date }> {
  const now = clock.now();
  const leasedUntil = getLeaseEnd(now, leaseMs);
  const offsetMs = BigInt(Math.max(0, time.getTime() - now.getTime()));
  const updatedCount = await service.prisma.$executeRaw`
    UPDATE merchant SET test_clock_offset_ms = greatest(test_clock_offset_ms, ${offsetMs}),
      test_clock_leased_until = ${leasedUntil} WHERE id = ${merchantId} AND test_clock_leased_until = ${lease}`;
  if (updatedCount === 0) throw new DomainError('test_clock_running');
  service.announce(formatNotice({ objectId: merchantId, merchantId, mode: 'sandbox' }));
  return {
    merchant: await service.prisma.merchant.findUniqueOrThrow({ where: { id: merchantId } }),
    leasedUntil,
  };
}

async function releaseClock(service: Service, merchantId: string, lease: Date): Promise<void> {
  await service.prisma.merchant.updateMany({
    where: { id: merchantId, testClockLeasedUntil: lease },
    data: { testClockTarget: null, testClockLeasedUntil: null },
  });
}
