import { expect, onTestFinished, test } from 'vitest';
import { eraseCustomer } from '../../../src/domain/operations/customer-data/erase-customer.ts';
import { createRefund } from '../../../src/domain/payments/refund/create-refund.ts';
import { cleanupAfterFile } from '../../setup/cleanup.ts';
import { waitUntilBlocked } from '../../setup/concurrently.ts';
import { readStoredResponse } from '../../setup/idempotency.ts';
import { minutesAfter, noon, seedCharge, seedCompletedCharge, seedMerchant } from '../../setup/seed.ts';
import { beforeStatement, type SentStatement } from '../../setup/sent-statements.ts';
import { setupService } from '../../setup/service.ts';

const onCleanup = cleanupAfterFile();

/** A customer is erased while the service goes on, and beside customers that stay. */

const service = await setupService(onCleanup);

test('a refund that is made while its customer is erased knows nothing of the customer', async () => {
  const merchant = await seedMerchant(service);
  const charge = await seedCompletedCharge(service, merchant, { input: { email: 'ada@example.com' } });
  const { merchantId, mode, customerId } = charge;
  const refund = { input: { chargeId: charge.id, customerAmount: 10 }, actor: 'key:test' };
  let making: Promise<unknown> | undefined;
  // The erasure has found what there is when it comes to this.
  const hasFound = ({ text }: SentStatement) => text.startsWith('UPDATE "public"."customer"');
  beforeStatement(onTestFinished, hasFound, async () => {
    making = createRefund(service, { merchantId, mode, ...refund, now: minutesAfter(noon, 9) });
    await waitUntilBlocked(service, [making]);
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
  const merchant = await seedMerchant(service);
  const charge = await seedCharge(service, merchant, { input: { email: 'rose@example.com' } });
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
    Object.fromEntries(
      await Promise.all(kept.map(async (row) => [row.key, await readStoredResponse(service, row)])),
    ),
  ).toEqual({
    others: answers.others,
    own: answers.own.replace('Rose', ''),
    linked: answers.linked.replace('Rose', ''),
    addressed: '{"to":"","by":""}',
  });
});
