import type { Merchant, Mode } from '../../../../prisma/client/client.ts';
import type { MachineTime, MerchantTime } from '../../../kit/clock.ts';

/**
 * Returns the time for a merchant's business data: in the sandbox, that of its test clock. Must not be used for
 * limits, tokens, idempotency keys, notification attempts, messages, logs and sign-in.
 */
export function merchantNow(
  now: MachineTime,
  merchant: Pick<Merchant, 'testClockOffsetMs'>,
  mode: Mode,
): MerchantTime {
  return shiftTime(now, mode === 'sandbox' ? merchant.testClockOffsetMs : 0n);
}

export function shiftTime(now: MachineTime, offsetMs: bigint): MerchantTime {
  return new Date(now.getTime() + Number(offsetMs));
}
