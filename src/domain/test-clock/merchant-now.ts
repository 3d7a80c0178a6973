import type { Merchant, Mode } from '../../../prisma/client/client.ts';
import type { Clock } from '../../kit/clock.ts';

/**
 * The time for what a merchant's operations date and judge: in the sandbox that of its test clock. Never for limits,
 * tokens, idempotency keys, attempts of notifications, logs and sign-in, which go by the machine's time.
 */
export function merchantNow(clock: Clock, merchant: Pick<Merchant, 'testClockOffsetMs'>, mode: Mode): Date {
  const now = clock.now();
  return mode === 'sandbox' ? shifted(now, merchant.testClockOffsetMs) : now;
}

export function shifted(now: Date, offsetMs: bigint): Date {
  return new Date(now.getTime() + Number(offsetMs));
}
