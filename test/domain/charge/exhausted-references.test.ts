import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { describe, expect, onTestFinished } from 'vitest';
import { renewSubscriptions } from '../../../src/domain/billing/collection/renew-subscriptions.ts';
import { expireCharges } from '../../../src/domain/payments/charge/expire-charges.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { isPaymentReference, withCheckLetter } from '../../../src/method/payment-reference.ts';
import { paymentReferenceWords } from '../../../src/method/payment-reference-words.ts';
import { serviceTest as test } from '../../setup/fixtures.ts';
import { expectInvariants } from '../../setup/invariants.ts';
import { seedReceivingAccount } from '../../setup/receiving-accounts.ts';
import { day, seedCharge, seedMerchant } from '../../setup/seed.ts';
import { copySubscription, seedActiveSubscription } from '../../setup/subscriptions.ts';

/** Until the test ends, each digit of a payment reference is one of the first `digitCount`, after the same word. */
function drawFromFewReferences(digitCount: number): void {
  const { randomInt } = crypto;
  onTestFinished(() => {
    crypto.randomInt = randomInt;
    syncBuiltinESMExports();
  });
  crypto.randomInt = ((min: number, max?: number) =>
    max === undefined ? 0 : min + randomInt(digitCount)) as typeof randomInt;
  syncBuiltinESMExports();
}

/** Until the test ends, every payment reference is the same, so that one charge uses up an account. */
const drawOneReferenceOnly = () => drawFromFewReferences(1);

async function withTwoAccounts(service: Service, now: Date) {
  const merchant = await seedMerchant(service, {}, now);
  const owner = { merchantId: merchant.merchant.id, mode: 'live' } as const;
  await seedReceivingAccount(service, merchant, {}, now);
  return { merchant, owner };
}

describe('Account without an unused payment reference', () => {
  test('is skipped for the next account of the method; without one, the charge is rejected', async ({
    service,
  }) => {
    drawOneReferenceOnly();
    const now = day('2026-01-15');
    const later = day('2026-01-16');
    const { merchant } = await withTwoAccounts(service, now);
    const createCharge = (email: string, now: Date) =>
      seedCharge(service, merchant, { input: { email }, now: now });
    const first = await createCharge('first@example.com', now);
    await expireCharges(service, { now: later });
    const second = await createCharge('second@example.com', later);
    expect(second.paymentReference).toBe(first.paymentReference);
    expect(second.receivingAccountId).not.toBe(first.receivingAccountId);
    await expect(createCharge('third@example.com', later)).rejects.toMatchObject({
      code: 'method_unavailable',
    });
  });

  test('is used up to the last payment reference', async ({ service }) => {
    drawFromFewReferences(2);
    const now = day('2026-01-15');
    const { merchant } = await withTwoAccounts(service, now);
    const references: string[] = [];
    const seedAll = async () => {
      for (let i = 0; i <= 64; i++) {
        const { paymentReference, receivingAccountId } = await seedCharge(service, merchant, {
          input: { email: `customer${i}@example.com` },
          now,
        });
        references.push(`${receivingAccountId} ${paymentReference}`);
      }
    };
    await expect(seedAll()).rejects.toMatchObject({ code: 'method_unavailable' });
    // Of the 32 combinations of two digits in five places, those with an excluded check letter are left out.
    const free = Array.from({ length: 32 }, (_, i) => {
      const digits = i.toString(2).padStart(5, '0').replaceAll('1', '3').replaceAll('0', '2');
      return withCheckLetter(`${paymentReferenceWords[0]}${digits}`);
    }).filter(isPaymentReference);
    expect(references).toHaveLength(2 * free.length);
    expect(new Set(references).size).toBe(2 * free.length);
  });

  test('does not stop renewals: their invoices are created without a charge', async ({ service }) => {
    drawOneReferenceOnly();
    const started = day('2026-01-15');
    const { merchant, owner } = await withTwoAccounts(service, started);
    const subscription = await seedActiveSubscription(service, merchant, { now: started });
    await copySubscription(service, subscription, [{}, {}]);
    await renewSubscriptions(service, { now: day('2026-02-13') });
    const invoices = await service.prisma.invoice.findMany({ where: owner });
    const charges = await service.prisma.charge.findMany({ where: { ...owner, status: 'pending' } });
    expect(charges).toHaveLength(1);
    expect(invoices.map(({ status }) => status)).toEqual(['open', 'open', 'open']);
    expect(invoices.map(({ chargeId }) => chargeId).filter((id) => id !== null)).toEqual([charges[0]!.id]);
    await expectInvariants(service);
  });
});
