import { describe, expect } from 'vitest';
import { pauseMerchant } from '../../../src/domain/operations/move/pause-merchant.ts';
import { resumeMerchant } from '../../../src/domain/operations/move/resume-merchant.ts';
import { type JobContext, serviceJobs } from '../../../src/jobs/definitions.ts';
import { hourMs } from '../../../src/kit/duration.ts';
import { startDeliverer } from '../../../src/notification/start-deliverer.ts';
import { callApi } from '../../setup/api.ts';
import { fakeTimeGraphqlTest } from '../../setup/app-fixtures.ts';
import { chargePath, seedSession, sessionPath } from '../../setup/checkout.ts';
import type { FakeClock } from '../../setup/fake-clock.ts';
import { reportPayment, seedBankFeed, sendDelivery } from '../../setup/feeds.ts';
import type { GraphqlApp } from '../../setup/graphql.ts';
import { readMerchantRows } from '../../setup/merchant-rows.ts';
import { seedCharge } from '../../setup/seed.ts';
import { seedEveryFeature } from '../../setup/seed-every-feature.ts';
import { signInAs } from '../../setup/sign-in.ts';

const test = fakeTimeGraphqlTest
  .extend('seeded', { scope: 'file' }, ({ app, fileClock }) => seedEveryFeature(app, fileClock))
  .extend('paused', async ({ app, service, clock, seeded }, { onCleanup }) => {
    // The fixtures set the clock back to noon, but the seeded rows are later.
    clock.set(seeded.charge.createdAt);
    clock.advance(40 * 24 * hourMs);
    // Deletes what the retention period has passed, so that the jobs of the tests delete nothing.
    await runJobs(app, clock);
    const merchantId = app.merchant.merchant.id;
    const charge = await seedCharge(service, app.merchant, { now: clock.now() });
    const session = await seedSession(service, app.merchant, { now: clock.now() });
    const feed = await seedBankFeed(service, app.merchant, {
      receivingAccountId: charge.receivingAccountId,
      now: clock.now(),
    });
    const user = await signInAs('owner', app, app.merchant);
    const options = { merchantId, actor: 'operator', clock, onProgress: () => {} };
    await pauseMerchant(service, options);
    onCleanup(async () => {
      await resumeMerchant(service, { merchantId, actor: 'operator', now: clock.now() });
    });
    return { merchantId, charge, session, feed, user };
  });

/** Runs each job once, and returns the errors. */
async function runJobs({ context: { service } }: GraphqlApp, clock: FakeClock): Promise<unknown[]> {
  const errors: unknown[] = [];
  const onError = (error: Error) => void errors.push(error);
  const deliverer = startDeliverer(service, { clock, onError });
  const messenger = { email: undefined, sms: undefined, pendingResponses: new Set(), close: () => {} };
  const context = { service, clock, deliverer, messenger, onError, wake: () => {} };
  for (const { name, work } of serviceJobs) {
    if (['import-statements', 'poll-feeds', 'purge-jobs', 'refresh-rates'].includes(name)) continue;
    await work(context as unknown as JobContext, AbortSignal.timeout(30_000));
  }
  await deliverer.deliver();
  await deliverer.stop();
  return errors;
}

describe('A paused merchant', () => {
  test('is answered with 503 merchant_paused by REST, GraphQL, bank feeds and pages that change something', async ({
    app,
    service,
    paused: { charge, session, feed, user },
  }) => {
    const { live } = app.merchant.keys;
    const { status, json, headers } = await callApi(app.app, { method: 'GET', url: '/charges', keys: live });
    expect([status, json.code, headers['retry-after']]).toEqual([503, 'merchant_paused', '60']);
    const { errors } = await app.ask('{ viewer { merchant { id } } }');
    expect(errors[0].extensions.code).toBe('merchant_paused');
    const body = reportPayment({ kind: 'sepay' }, charge);
    expect((await sendDelivery(app, feed, { body })).status).toBe(503);
    const dashboard = await user.ask('{ viewer { merchant { id } } }');
    expect(dashboard.errors[0].extensions.code).toBe('merchant_paused');
    const page = await app.app.inject({ url: sessionPath(session) });
    expect(page.statusCode).toBe(503);
    // The customer still sees how to pay the charge.
    const chargePage = await app.app.inject({ url: chargePath(service, charge) });
    expect(chargePage.statusCode).toBe(200);
    expect(chargePage.body).toContain(charge.paymentReference);
    const other = await callApi(app.app, {
      method: 'GET',
      url: '/charges',
      keys: app.otherMerchant.keys.live,
    });
    expect(other.status).toBe(200);
  });

  test('keeps every row through all jobs, and continues after it is resumed', async ({
    app,
    service,
    clock,
    paused: { merchantId, charge },
  }) => {
    const before = await readMerchantRows(service.pool, merchantId);
    const otherCharge = await seedCharge(service, app.otherMerchant, { now: clock.now() });
    clock.advance(3 * hourMs);
    expect(await runJobs(app, clock)).toEqual([]);
    expect(await readMerchantRows(service.pool, merchantId)).toEqual(before);
    const readStatus = async ({ id }: { id: string }) =>
      (await service.prisma.charge.findUniqueOrThrow({ where: { id } })).status;
    expect(await readStatus(otherCharge)).toBe('expired');
    expect(await readStatus(charge)).toBe('pending');
    await resumeMerchant(service, { merchantId, actor: 'operator', now: clock.now() });
    expect(await runJobs(app, clock)).toEqual([]);
    expect(await readStatus(charge)).toBe('expired');
    await pauseMerchant(service, { merchantId, actor: 'operator', clock, onProgress: () => {} });
  });

  test('rejects every change of its rows in the database', async ({ service, paused: { merchantId } }) => {
    for (const [table, column] of [
      ['charge', 'version'],
      ['merchant', 'markup'],
      ['event_counter', 'last'],
      ['upload_chunk', 'position'],
    ]) {
      await expect(
        service.pool.query(`UPDATE ${table} SET ${column} = ${column} + 0.01`),
      ).rejects.toMatchObject({
        code: 'CWPSD',
      });
    }
    await expect(
      service.prisma.webhook.updateMany({ where: { merchantId }, data: { concurrency: 2 } }),
    ).rejects.toThrow('the merchant is paused');
  });
});
