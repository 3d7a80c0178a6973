import { expect, test } from 'vitest';
import { eraseCustomer } from '../../../src/domain/operations/customer-data/erase-customer.ts';
import { createRefund } from '../../../src/domain/payments/refund/create-refund.ts';
import { untilWaiting } from '../../setup/beside.ts';
import { readAnswer } from '../../setup/kept-answers.ts';
import { makeCharge, makeCompletedCharge, makeMerchant, minutesAfter, noon } from '../../setup/makers.ts';
import { beforeStatement, type Sent } from '../../setup/sent-sql.ts';
import { testService } from '../../setup/service.ts';

/** A customer is erased while the service goes on, and beside customers that stay. */

const service = await testService();

test('a refund that is made while its customer is erased knows nothing of the customer', async () => {
  const merchant = await makeMerchant(service);
  const charge = await makeCompletedCharge(service, merchant, { input: { email: 'ada@example.com' } });
  const { merchantId, mode, customerId } = charge;
  const refund = { input: { chargeId: charge.id, customerAmount: 10 }, actor: 'key:test' };
  let making: Promise<unknown> | undefined;
  // The erasure has found what there is when it comes to this.
  const hasFound = ({ text }: Sent) => text.startsWith('UPDATE "public"."customer"');
  beforeStatement(hasFound, async () => {
    making = createRefund(service, { merchantId, mode, ...refund, now: minutesAfter(noon, 9) });
    await untilWaiting(service, [making]);
  });
  await eraseCustomer(service, { id: customerId, now: minutesAfter(noon, 10) });
  expect(making).toBeDefined();
  await making;
  expect(await service.prisma.refund.count({ where: { chargeId: charge.id } })).toBe(1);
  const { rows } = await service.pool.query(
    "SELECT payload AS text FROM event UNION ALL SELECT recipient FROM message WHERE audience = 'customer'",
  );
  expect(rows.filter(({ text }) => text.includes('ada@example.com'))).toEqual([]);
});

test('a name that is a word like any other goes from the answers about its customer alone', async () => {
  const merchant = await makeMerchant(service);
  const charge = await makeCharge(service, merchant, { input: { email: 'rose@example.com' } });
  await service.prisma.charge.update({
    where: { id: charge.id },
    data: { firstName: 'Rose', lastName: 'Pending' },
  });
  const now = new Date();
  const answers = {
    others: '{"id":"ch_other","status":"pending","orders":[{"name":"Rose"}]}',
    own: `{"id":"${charge.id}","by":"Rose"}`,
    linked: `{"url":"https://shop.example/pay/${charge.id}?x=1","by":"Rose"}`,
    addressed: '{"to":"ROSE@example.com","by":"rose"}',
  };
  for (const [key, answer] of Object.entries(answers)) {
    const { merchantId, mode } = charge;
    const row = [merchantId, mode, key] as const;
    await service.prisma.idempotencyKey.create({
      data: {
        ...{ merchantId, mode, key, fingerprint: 'f', status: 201 },
        responseEncrypted: service.secrets.encrypt(answer, 'idempotency_key.response_encrypted', row),
        ...{ createdAt: now, expiresAt: minutesAfter(now, 60) },
      },
    });
  }
  await eraseCustomer(service, { id: charge.customerId, now });
  const kept = await service.prisma.idempotencyKey.findMany({ where: { merchantId: charge.merchantId } });
  expect(
    Object.fromEntries(await Promise.all(kept.map(async (row) => [row.key, await readAnswer(service, row)]))),
  ).toEqual({
    others: answers.others,
    own: answers.own.replace('Rose', ''),
    linked: answers.linked.replace('Rose', ''),
    addressed: '{"to":"","by":""}',
  });
});
