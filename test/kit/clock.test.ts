import { expect, test } from 'vitest';
import { merchantNow } from '../../src/domain/platform/clock/merchant-now.ts';
import { type MachineTime, type MerchantTime, systemClock } from '../../src/kit/clock.ts';
import { minuteMs } from '../../src/kit/duration.ts';

test('The compiler rejects the time of one clock where that of the other is wanted', () => {
  const machine: MachineTime = systemClock.now();
  const merchant: MerchantTime = merchantNow(machine, { testClockOffsetMs: BigInt(minuteMs) }, 'sandbox');
  // @ts-expect-error: a message would be dated by the test clock.
  const wrongMachine: MachineTime = merchant;
  // @ts-expect-error: a charge would ignore the test clock.
  const wrongMerchant: MerchantTime = machine;
  expect(wrongMachine.getTime() - wrongMerchant.getTime()).toBe(minuteMs);
});
