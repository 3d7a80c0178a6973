import { expect } from 'vitest';
import type { Charge } from '../../../prisma/client/client.ts';
import type { NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import { suggestCharges } from '../../../src/domain/money-in/transfer/suggestions/suggest-charges.ts';
import { readCheckoutCharge } from '../../../src/domain/payments/checkout/get-checkout-charge.ts';
import { replaceCharge } from '../../../src/domain/payments/checkout/replace-charge.ts';
import { chargeSession } from '../../../src/domain/payments/session/charge-session.ts';
import { claimSession } from '../../../src/domain/payments/session/claim-session.ts';
import { getSessionCharge } from '../../../src/domain/payments/session/get-session.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import type { MethodCode } from '../../../src/method/catalog.ts';
import { seedSession } from '../../setup/checkout.ts';
import { count } from '../../setup/counts.ts';
import { checkedTest as test } from '../../setup/invariants.ts';
import { minutesAfter, noon } from '../../setup/seed.ts';
import { payCharge } from '../../setup/transfers.ts';
import { timeout } from './race.ts';

/** The customer chooses another method while the payment for the first one arrives. */

const now = minutesAfter(noon, 1);
const rounds = count(12, 500);

async function seedSessionCharge(service: Service, merchant: NewMerchant): Promise<Charge> {
  const session = await seedSession(service, merchant, {
    input: { amount: 128.5, currency: 'HKD' },
    now: noon,
  });
  const browserToken = 'browser';
  await claimSession(service, { id: session.id, browserToken, canTakeOver: false, now: noon });
  return chargeSession(service, {
    merchant: merchant.merchant,
    session,
    browserToken,
    method: 'fps',
    customer: { email: `${session.id}@example.com` },
    now: noon,
  });
}

async function replace(
  service: Service,
  { merchant }: NewMerchant,
  { id, mode }: Charge,
  method: MethodCode = 'hk-bank-transfer',
): Promise<Charge> {
  const charge = (await readCheckoutCharge(service, { id, mode }))!;
  return replaceCharge(service, { merchant, charge, method, visitor: { ipAddress: '192.0.2.1' }, now });
}

async function readOutcome(service: Service, merchant: NewMerchant, charge: Charge) {
  const { prisma } = service;
  const scope = { merchantId: merchant.merchant.id, mode: charge.mode };
  const old = await prisma.charge.findUniqueOrThrow({ where: { id: charge.id } });
  const current = await getSessionCharge(service, { ...scope, id: charge.sessionId! });
  const transfer = await prisma.transfer.findFirstOrThrow({ where: { reference: charge.paymentReference } });
  const session = await prisma.checkoutSession.findUniqueOrThrow({ where: { id: charge.sessionId! } });
  const suggestions = (await suggestCharges(service, scope, [transfer])).get(transfer.id)!;
  return { old, current, transfer, session, suggestedId: suggestions.charges[0]?.charge.id };
}

test('either the payment completes the charge, or it is reviewed with the new charge as first suggestion', {
  timeout,
}, async ({ service, merchant }) => {
  const statuses = new Set<string>();
  for (let i = 0; i < rounds; i++) {
    const charge = await seedSessionCharge(service, merchant);
    const race = [
      () => replace(service, merchant, charge),
      () => payCharge(service, merchant, charge, { now }),
    ];
    await Promise.allSettled((i % 2 === 0 ? race : race.toReversed()).map((start) => start()));
    const { old, current, transfer, session, suggestedId } = await readOutcome(service, merchant, charge);
    statuses.add(old.status);
    expect(session.status).toBe('charged');
    if (old.status === 'completed') {
      expect([current.id, transfer.status, old.amountReceived]).toEqual([
        charge.id,
        'matched',
        charge.customerAmount,
      ]);
    } else {
      expect([old.status, current.status, current.replacesId]).toEqual(['cancelled', 'pending', charge.id]);
      expect([transfer.status, transfer.reason, transfer.namedChargeId]).toEqual([
        'exception',
        'charge_cancelled',
        charge.id,
      ]);
      expect([old.amountReceived, current.amountReceived, suggestedId]).toEqual([0n, 0n, current.id]);
    }
  }
  expect([...statuses].every((status) => ['completed', 'cancelled'].includes(status))).toBe(true);
});

test('a charge that is replaced twice concurrently has one replacement', { timeout }, async ({
  service,
  merchant,
}) => {
  for (let i = 0; i < rounds; i++) {
    const charge = await seedSessionCharge(service, merchant);
    const replacements = await Promise.all([
      replace(service, merchant, charge, 'hk-bank-transfer'),
      replace(service, merchant, charge, 'hk-bank-transfer'),
    ]);
    expect(new Set(replacements.map(({ id }) => id)).size).toBe(1);
    expect(await service.prisma.charge.count({ where: { sessionId: charge.sessionId } })).toBe(2);
  }
});
