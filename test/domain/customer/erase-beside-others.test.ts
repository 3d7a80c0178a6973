import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { eraseCustomer } from '../../../src/domain/customer/erase-customer.ts';
import { createRefund } from '../../../src/domain/refund/create-refund.ts';
import { makeCharge, makeCompletedCharge, makeMerchant, minutesAfter, noon } from '../../setup/makers.ts';
import { testService } from '../../setup/service.ts';

/** A customer is erased while the service goes on, and beside customers that stay. */

const service = await testService();

async function endsOrWaits(work: Promise<unknown>): Promise<void> {
  let hasEnded = false;
  const end = () => {
    hasEnded = true;
  };
  void work.then(end, end);
  const isWaiting = async () => {
    const { rowCount } = await service.pool.query(
      "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    );
    return rowCount === 1;
  };
  await expect.poll(async () => hasEnded || (await isWaiting())).toBe(true);
}

test('a refund that is made while its customer is erased knows nothing of the customer', async () => {
  const merchant = await makeMerchant(service);
  const charge = await makeCompletedCharge(service, merchant, { input: { email: 'ada@example.com' } });
  const { merchantId, mode, customerId } = charge;
  const refund = { input: { chargeId: charge.id, customerAmount: 10 }, actor: 'key:test' };
  let making: Promise<unknown> | undefined;
  const { query } = pg.Client.prototype;
  onTestFinished(() => void Object.assign(pg.Client.prototype, { query }));
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
    const [config] = given as [{ text?: string }];
    const send = () => Reflect.apply(query, this, given);
    // The erasure has found what there is when it comes to this.
    if (making || !config?.text?.startsWith('UPDATE "public"."customer"')) return send();
    making = createRefund(service, { merchantId, mode, ...refund, now: minutesAfter(noon, 9) });
    return endsOrWaits(making).then(send);
  } as typeof query;
  await eraseCustomer(service, { id: customerId, now: minutesAfter(noon, 10) });
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
    await service.prisma.idempotencyKey.create({
      data: {
        ...{ merchantId: charge.merchantId, mode: charge.mode, key, fingerprint: 'f', status: 201 },
        ...{ answerSealed: service.secrets.seal(answer), createdAt: now, expiresAt: minutesAfter(now, 60) },
      },
    });
  }
  await eraseCustomer(service, { id: charge.customerId, now });
  const kept = await service.prisma.idempotencyKey.findMany({ where: { merchantId: charge.merchantId } });
  expect(
    Object.fromEntries(kept.map(({ key, answerSealed }) => [key, service.secrets.unseal(answerSealed)])),
  ).toEqual({
    others: answers.others,
    own: answers.own.replace('Rose', ''),
    linked: answers.linked.replace('Rose', ''),
    addressed: '{"to":"","by":""}',
  });
});
