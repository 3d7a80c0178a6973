import type { Merchant, Mode } from '../../../../prisma/client/client.ts';
import type { MachineTime, MerchantTime } from '../../../kit/clock.ts';

/**
 * The time for what a merchant's operations date and judge, at the machine's time: in the sandbox that of its test clock.
 * Never for limits, tokens, idempotency keys, attempts of notifications, messages, logs and sign-in.
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
