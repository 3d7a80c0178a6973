import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { renewSubscriptions } from '../../../src/domain/billing/subscription/renew-subscriptions.ts';
import { expireCharges } from '../../../src/domain/payments/charge/expire-charges.ts';
import { day, makeCharge, makeMerchant } from '../../setup/makers.ts';
import { makeReceivingAccount } from '../../setup/receiving-accounts.ts';
import { testService } from '../../setup/service.ts';
import { expectSound } from '../../setup/sound.ts';
import { copySubscription, makeActiveSubscription } from '../../setup/subscriptions.ts';

/** With one word in place of all, so that one charge uses an account up. */

const service = await testService();
const { randomInt } = crypto;

function drawOneWordAlone() {
  crypto.randomInt = ((min: number, max?: number) => (max === undefined ? 0 : min)) as typeof randomInt;
  syncBuiltinESMExports();
}

function drawAnyWord() {
  crypto.randomInt = randomInt;
  syncBuiltinESMExports();
}

beforeAll(drawOneWordAlone);
afterAll(drawAnyWord);

async function withTwoAccounts(now: Date) {
  const merchant = await makeMerchant(service, {}, now);
  const owner = { merchantId: merchant.merchant.id, mode: 'live' } as const;
  await makeReceivingAccount(service, merchant, {}, now);
  return { merchant, owner };
}

test('a charge is paid to the next account of its method, once the first has no word left; then it is refused', async () => {
  const now = day('2026-01-15');
  const later = day('2026-01-16');
  const { merchant } = await withTwoAccounts(now);
  const charge = (email: string, at: Date) => makeCharge(service, merchant, { input: { email }, now: at });
  const first = await charge('first@example.com', now);
  await expireCharges(service, { now: later });
  const second = await charge('second@example.com', later);
  expect(second.paymentReference).toBe(first.paymentReference);
  expect(second.receivingAccountId).not.toBe(first.receivingAccountId);
  await expect(charge('third@example.com', later)).rejects.toMatchObject({ code: 'method_unavailable' });
});

test('renewals are invoiced together all the same: those without a word have no charge', async () => {
  const started = day('2026-01-15');
  const { merchant, owner } = await withTwoAccounts(started);
  const paid = await makeActiveSubscription(service, merchant, { now: started });
  await copySubscription(service, paid, [{}, {}]);
  await renewSubscriptions(service, { now: day('2026-02-13') });
  const invoices = await service.prisma.invoice.findMany({ where: owner });
  const charges = await service.prisma.charge.findMany({ where: { ...owner, status: 'pending' } });
  expect(charges).toHaveLength(1);
  expect(invoices.map(({ status }) => status)).toEqual(['open', 'open', 'open']);
  expect(invoices.map(({ chargeId }) => chargeId).filter((id) => id !== null)).toEqual([charges[0]!.id]);
  await expectSound(service);
});
