import { isDeepStrictEqual } from 'node:util';
import { describe, expect } from 'vitest';
import type { BankFeed, Charge, NoticeSetting } from '../../../prisma/client/client.ts';
import { pauseMerchant } from '../../../src/domain/operations/move/pause-merchant.ts';
import { resumeMerchant } from '../../../src/domain/operations/move/resume-merchant.ts';
import { relayEvents } from '../../../src/event/relay-events.ts';
import { type JobContext, serviceJobs } from '../../../src/jobs/definitions.ts';
import { dayMs, hourMs } from '../../../src/kit/duration.ts';
import { newId } from '../../../src/kit/id.ts';
import { startDeliverer } from '../../../src/notification/start-deliverer.ts';
import { callApi } from '../../setup/api.ts';
import { fakeTimeGraphqlTest } from '../../setup/app-fixtures.ts';
import { chargePath, seedSession, sessionPath } from '../../setup/checkout.ts';
import { exerciseEveryFeature } from '../../setup/exercise-every-feature.ts';
import type { FakeClock } from '../../setup/fake-clock.ts';
import { readDeliveries, reportPayment, seedBankFeed, sendDelivery } from '../../setup/feeds.ts';
import { type GraphqlApp, mutate } from '../../setup/graphql.ts';
import { readMerchantRows } from '../../setup/merchant-rows.ts';
import { seedMail, seedSms } from '../../setup/messages.ts';
import { seedWebhook } from '../../setup/notifications.ts';
import { seedCharge } from '../../setup/seed.ts';
import { signInAs } from '../../setup/sign-in.ts';
import { seedActiveSubscription } from '../../setup/subscriptions.ts';
import { payCharge } from '../../setup/transfers.ts';

const test = fakeTimeGraphqlTest
  .extend('seeded', { scope: 'file' }, ({ app, fileClock }) => exerciseEveryFeature(app, fileClock))
  .extend('paused', async ({ app, service, clock, seeded }, { onCleanup }) => {
    // The fixtures set the clock back to noon, but the seeded rows are later.
    clock.set(seeded.charge.createdAt);
    clock.advance(40 * 24 * hourMs);
    // Deletes rows whose retention period has passed, so that the jobs of the tests delete nothing.
    await runJobs(app, clock);
    const merchantId = app.merchant.merchant.id;
    const charge = await seedCharge(service, app.merchant, { now: clock.now() });
    const session = await seedSession(service, app.merchant, { now: clock.now() });
    const feed = await seedBankFeed(service, app.merchant, {
      receivingAccountId: charge.receivingAccountId,
      now: clock.now(),
    });
    const user = await signInAs('owner', app, app.merchant);
    await seedDueWork(app, { feed, charge, now: clock.now() });
    const options = { merchantId, actor: 'operator', clock, onProgress: () => {} };
    await pauseMerchant(service, options);
    onCleanup(async () => {
      await resumeMerchant(service, { merchantId, actor: 'operator', now: clock.now() });
    });
    return { merchantId, charge, session, feed, user };
  });

/** Creates work for each job that changes rows of a merchant. Charge, session and events are due already. */
async function seedDueWork(
  app: GraphqlApp,
  { feed, charge, now }: { feed: BankFeed; charge: Charge; now: Date },
): Promise<void> {
  const { service } = app.context;
  const { prisma } = service;
  const { merchantId, mode, receivingAccountId } = charge;
  const monthAgo = new Date(now.getTime() - 30 * dayMs);
  await seedActiveSubscription(service, app.merchant, { email: 'renewed@example.com', now: monthAgo });
  const webhook = await seedWebhook(service, app.merchant, { url: 'http://127.0.0.1:1/closed' });
  await relayEvents(service, { now });
  const input = { email: 'paid@example.com' };
  await payCharge(service, app.merchant, await seedCharge(service, app.merchant, { input, now }), { now });
  await seedSession(service, app.merchant, { now: new Date(now.getTime() - 7 * dayMs + hourMs) });
  await prisma.receivingAccount.update({ where: { id: receivingAccountId }, data: { referencesLowAt: now } });
  const delivery = await sendDelivery(app, feed, {
    body: reportPayment({ kind: 'sepay' }, charge, { amount: '1' }),
    signedAt: now,
  });
  expect(delivery.status).toBe(200);
  await prisma.feedDelivery.updateMany({
    where: { feedId: feed.id },
    data: { status: 'received', nextAttemptAt: now },
  });
  const silentFeed = await seedBankFeed(service, app.merchant, { receivingAccountId, now: monthAgo });
  await prisma.bankFeed.update({
    where: { id: silentFeed.id },
    data: { status: 'connected', silenceMinutes: 60, lastSuccessAt: monthAgo },
  });
  const alert = await prisma.alert.create({
    data: {
      id: newId('alert', now),
      merchantId,
      mode,
      kind: 'endpoint_failing',
      webhookId: webhook.id,
      url: webhook.url,
      detail: 'the endpoint responded with 500',
      dedupeKey: `due ${feed.id}`,
      createdAt: now,
    },
  });
  const user = await prisma.merchantUser.findFirstOrThrow({ where: { merchantId, removedAt: null } });
  const key = { userId: user.id, channel: 'email', topic: 'accounts' } as const;
  const due = { frequency: 'daily', alertIds: [alert.id], nextAt: now } satisfies Partial<NoticeSetting>;
  await prisma.noticeSetting.upsert({
    where: { userId_channel_topic: key },
    create: { ...key, ...due },
    update: due,
  });
  await mutate(app, 'createExport', { kind: 'charges' });
  await seedMail(service, { merchantId });
  await seedSms(service, { merchantId });
}

/** Runs each job once, and returns the errors and the names of the jobs that changed rows of the merchant. */
async function runJobs(
  { context: { service }, merchant }: GraphqlApp,
  clock: FakeClock,
): Promise<{ errors: unknown[]; changing: string[] }> {
  const errors: unknown[] = [];
  const onError = (error: Error) => void errors.push(error);
  const deliverer = startDeliverer(service, { clock, onError });
  const messenger = { email: undefined, sms: undefined, pendingResponses: new Set(), close: () => {} };
  const context = { service, clock, deliverer, messenger, onError, wake: () => {} };
  const changing: string[] = [];
  let rows = await readMerchantRows(service.pool, merchant.merchant.id);
  for (const { name, work } of serviceJobs) {
    if (['import-statements', 'poll-feeds', 'purge-jobs', 'refresh-rates'].includes(name)) continue;
    const run = Promise.resolve(work(context as unknown as JobContext, AbortSignal.timeout(30_000)));
    await run.catch(onError);
    if (name === 'deliver-notifications') await deliverer.deliver();
    const current = await readMerchantRows(service.pool, merchant.merchant.id);
    if (!isDeepStrictEqual(current, rows)) changing.push(name);
    rows = current;
  }
  await deliverer.stop();
  return { errors, changing };
}

describe('A paused merchant', () => {
  test('receives 503 merchant_paused from REST, GraphQL, bank feeds and pages that change something', async ({
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

  test('does not stop the deliveries of other merchants that arrive at the same time', async ({
    app,
    service,
    clock,
    paused,
  }) => {
    const charge = await seedCharge(service, app.otherMerchant, { now: clock.now() });
    const { receivingAccountId } = charge;
    const feed = await seedBankFeed(service, app.otherMerchant, { receivingAccountId, now: clock.now() });
    const feeds = [feed, paused.feed, feed, paused.feed, feed];
    const answers = await Promise.all(
      feeds.map((one, i) => {
        const body = reportPayment({ kind: 'sepay' }, charge, { id: `${i}` });
        return sendDelivery(app, one, { body, signedAt: clock.now() });
      }),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 503, 200, 503, 200]);
    expect(await readDeliveries(service, feed)).toHaveLength(3);
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
    expect(await runJobs(app, clock)).toEqual({ errors: [], changing: [] });
    expect(await readMerchantRows(service.pool, merchantId)).toEqual(before);
    const readStatus = async ({ id }: { id: string }) =>
      (await service.prisma.charge.findUniqueOrThrow({ where: { id } })).status;
    expect(await readStatus(otherCharge)).toBe('expired');
    expect(await readStatus(charge)).toBe('pending');
    await resumeMerchant(service, { merchantId, actor: 'operator', now: clock.now() });
    const { errors, changing } = await runJobs(app, clock);
    expect(errors).toEqual([]);
    // The other jobs had work, so the run above has shown that they skip a paused merchant.
    const idle = serviceJobs.map(({ name }) => name).filter((name) => !changing.includes(name));
    expect(idle.filter((name) => !name.startsWith('prune-'))).toEqual([
      'send-chat',
      'fold-charge-counts',
      'import-statements',
      'poll-feeds',
      'refresh-rates',
      'process-reset-requests',
      'purge-jobs',
    ]);
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
