import { expect } from 'vitest';
import { relayEvents } from '../../src/event/relay-events.ts';
import { callApi } from '../setup/api.ts';
import { fileTest } from '../setup/fixtures.ts';
import { expectInvariants } from '../setup/invariants.ts';
import { setupLiveApp } from '../setup/live-app.ts';
import { testAppSecret } from '../setup/service.ts';
import { callCli, runCli } from './run-cli.ts';

const test = fileTest
  .extend('app', { scope: 'file' }, ({ onFileCleanup }) => setupLiveApp(onFileCleanup))
  .extend('env', { scope: 'file' }, ({ app }) => ({
    DATABASE_URL: app.connectionString,
    APP_SECRET: testAppSecret,
  }));

test('sandbox reset deletes the data of one sandbox and sets its clock back; its keys and other sandboxes stay', async ({
  app,
  env,
}) => {
  const { service } = app.context;
  const { prisma } = service;
  const names = ['First run', 'Second run'];
  const sandboxes = [];
  for (const name of names) {
    const created = await callCli(env, 'sandbox', 'create', '--name', name);
    expect(Object.keys(created)).toEqual([
      ...['merchantId', 'apiKey', 'apiSecret', 'publishableKey', 'certificate'],
    ]);
    sandboxes.push(created);
  }
  const [first, second] = sandboxes;
  const createSession = async (keys: typeof first) => {
    const body = { amount: 128.5, currency: 'HKD', notifyUrl: 'https://shop.example/notify' };
    const response = await callApi(app.app, { method: 'POST', url: '/sessions', keys, body });
    expect(response.status).toBe(201);
    await relayEvents(service, { now: new Date() });
    return response.json as { id: string };
  };
  for (const sandbox of sandboxes) await createSession(sandbox);
  const advanceTo = new Date(app.clock.now().getTime() + 86_400_000);
  await app.ask(
    `mutation ($input: AdvanceTestClockInput!) { advanceTestClock(input: $input) { __typename } }`,
    { variables: { input: { advanceTo } }, as: first },
  );
  const readState = async ({ merchantId }: typeof first) => {
    const where = { merchantId, mode: 'sandbox' as const };
    const merchant = await prisma.merchant.findUniqueOrThrow({ where: { id: merchantId } });
    return {
      sessions: await prisma.checkoutSession.count({ where }),
      events: await prisma.event.count({ where }),
      isClockAhead: merchant.testClockOffsetMs > 0n,
      numbered: (await prisma.eventCounter.findFirst({ where }))?.last,
    };
  };
  expect(await readState(first)).toEqual({ sessions: 1, events: 1, isClockAhead: true, numbered: 1n });

  const reset = await callCli(env, 'sandbox', 'reset', first.merchantId);
  expect(reset).toEqual({ merchantId: first.merchantId, rows: expect.any(Number) });
  expect(await readState(first)).toEqual({ sessions: 0, events: 0, isClockAhead: false, numbered: 1n });
  expect(await readState(second)).toEqual({ sessions: 1, events: 1, isClockAhead: false, numbered: 1n });
  const [entry] = await prisma.auditEntry.findMany({ where: { action: 'merchant.sandbox_reset' } });
  expect(entry).toMatchObject({ merchantId: first.merchantId, mode: 'sandbox', actor: 'operator' });
  await expectInvariants(service);

  // The numbers of events continue, so that no reader of the log misses an event.
  const { id } = await createSession(first);
  const { data } = await app.ask(`{ events(first: 5) { edges { cursor node { objectId } } } }`, {
    as: first,
  });
  expect(data.events.edges).toEqual([{ cursor: '2', node: { objectId: id } }]);
  expect((await callCli(env, 'sandbox', 'reset', first.merchantId)).rows).toBeGreaterThan(0);
  expect(await callCli(env, 'sandbox', 'reset', first.merchantId)).toMatchObject({ rows: 0 });
});

test('other merchants cannot be reset, and a sandbox has no users and no live keys', async ({ app, env }) => {
  const { id } = app.merchant.merchant;
  const charge = await app.newCharge('stays@example.com');
  for (const [merchantId, message] of [
    [id, 'is not a merchant that `sandbox create` created'],
    ['mer_none', 'is not a known merchant'],
  ] as const) {
    const { code, stderr } = await runCli(env, ['sandbox', 'reset', merchantId]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(message) });
  }
  const { prisma } = app.context.service;
  expect(await prisma.charge.findUnique({ where: { id: charge.id } })).not.toBeNull();
  const { merchantId } = await callCli(env, 'sandbox', 'create');
  const user = ['user', 'create', '--merchant', merchantId, '--email', 'dev@example.com', '--role', 'owner'];
  expect(await runCli(env, user)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('has only a sandbox, so it can have no users'),
  });
  expect(await prisma.apiKey.count({ where: { merchantId, mode: 'live' } })).toBe(0);
});
