import type { Merchant, Mode } from '../../../../prisma/client/client.ts';
import type { MerchantTime, SystemTime } from '../../../kit/clock.ts';

/**
 * Returns the time for a merchant's business data: in the sandbox, the time of its test clock. Do not use it
 * for limits, tokens, idempotency keys, notification attempts, messages, logs and sign-in.
 */
export function merchantNow(
  now: SystemTime,
  merchant: Pick<Merchant, 'testClockOffsetMs'>,
  mode: Mode,
): MerchantTime {
  return shiftTime(now, mode === 'sandbox' ? merchant.testClockOffsetMs : 0n);
}

export function shiftTime(now: SystemTime, offsetMs: bigint): MerchantTime {
  return new Date(now.getTime() + Number(offsetMs));
}
