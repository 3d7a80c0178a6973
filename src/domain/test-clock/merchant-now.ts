import type { Merchant, Mode } from '../../../prisma/client/client.ts';

/**
 * The time for what a merchant's operations date and judge, at the machine's time: in the sandbox that of its test clock.
 * Never for limits, tokens, idempotency keys, attempts of notifications, messages, logs and sign-in.
 */
export function merchantNow(now: Date, merchant: Pick<Merchant, 'testClockOffsetMs'>, mode: Mode): Date {
  return mode === 'sandbox' ? shifted(now, merchant.testClockOffsetMs) : now;
}

export function shifted(now: Date, offsetMs: bigint): Date {
  return new Date(now.getTime() + Number(offsetMs));
}
