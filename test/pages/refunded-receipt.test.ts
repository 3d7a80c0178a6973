import { expect } from 'vitest';
import { cancelRefund } from '../../src/domain/payments/refund/cancel-refund.ts';
import { completeRefund } from '../../src/domain/payments/refund/complete-refund.ts';
import { createRefund } from '../../src/domain/payments/refund/create-refund.ts';
import { appTest as test } from '../setup/app-fixtures.ts';
import { chargePath } from '../setup/checkout.ts';
import { createPageVisitor } from '../setup/page-visitor.ts';
import { noon, seedCharge } from '../setup/seed.ts';
import { payCharge } from '../setup/transfers.ts';

test('the receipt of a refunded payment states what is refunded, and what is on its way', async ({
  app,
  merchant,
}) => {
  const { service } = app.context;
  const charge = await seedCharge(service, merchant, { mode: 'sandbox', now: noon });
  await payCharge(service, merchant, charge, { now: noon });
  const change = {
    merchantId: merchant.merchant.id,
    mode: 'sandbox',
    actor: 'user:test',
    now: noon,
  } as const;
  const refund = async (customerAmount: number) =>
    (await createRefund(service, { ...change, input: { chargeId: charge.id, customerAmount } })).refund;
  const read = async () =>
    (await createPageVisitor(app.app).get(chargePath(service, charge))).main.replace(/<[^>]+>|\s+/g, ' ');
  expect(await read()).not.toMatch(/refund/i);

  const part = await refund(20);
  expect(await read()).toMatch(/ is refunding\s+HK\$20\.00\s+to you\./);
  await cancelRefund(service, { ...change, id: part.id });
  expect(await read()).not.toMatch(/refund/i);

  const first = await refund(28.5);
  await completeRefund(service, { ...change, id: first.id });
  const rest = await refund(100);
  const partly = await read();
  expect(partly).toContain('Payment received');
  expect(partly).toMatch(/ has refunded\s+HK\$28\.50\s+to you\..* is refunding\s+HK\$100\.00/);
  await completeRefund(service, { ...change, id: rest.id });
  const refunded = await read();
  expect(refunded).toContain('Payment refunded');
  expect(refunded).toMatch(/Refunded\s+HK\$128\.50/);
});
