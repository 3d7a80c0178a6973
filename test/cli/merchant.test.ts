import { beforeAll, expect, test } from 'vitest';
import { callApi } from '../setup/api.ts';
import { setupApp, type TestApp } from '../setup/app.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { seedCharge, seedMerchant } from '../setup/seed.ts';
import { testAppSecret } from '../setup/service.ts';
import { askCli, runCli } from './run-cli.ts';

const onCleanup = cleanupAfterFile();

let app: TestApp;
let env: Record<string, string>;

beforeAll(async () => {
  app = await setupApp(onCleanup);
  env = { DATABASE_URL: app.connectionString, APP_SECRET: testAppSecret };
});

test('an operator declines access with a reason, switches operations and the account off and on', async () => {
  const { merchant, keys } = await seedMerchant(app.context.service, {}, new Date());
  const { id } = merchant;
  const code = async (url: string) => {
    const { status, json } = await callApi(app.app, { method: 'GET', url, keys: keys.live });
    return status === 200 ? 200 : json.code;
  };
  const translations = '/translations?locale=en';
  expect(await code(translations)).toBe(200);
  expect(await askCli(env, 'merchant', 'decline', id, '--reason', 'No volume yet')).toEqual({
    merchantId: id,
    restrictedAccess: 'none',
    reason: 'No volume yet',
  });
  expect(await code(translations)).toBe('restricted_endpoint');

  expect(await askCli(env, 'merchant', 'disable-operation', id, 'charges', 'createRefund')).toEqual({
    merchantId: id,
    disabledOperations: ['charges', 'createRefund'],
  });
  expect([await code('/charges'), await code('/refunds')]).toEqual(['permission_denied', 200]);
  expect(await askCli(env, 'merchant', 'enable-operation', id, 'charges')).toMatchObject({
    disabledOperations: ['createRefund'],
  });
  expect(await code('/charges')).toBe(200);

  await askCli(env, 'merchant', 'disable', id);
  expect(await code('/charges')).toBe('account_disabled');
  await askCli(env, 'merchant', 'enable', id);
  expect(await code('/charges')).toBe(200);
  const entries = await app.context.service.prisma.auditEntry.findMany({
    where: { merchantId: id, actor: 'operator' },
    orderBy: { id: 'asc' },
  });
  expect(entries.map(({ action }) => action)).toEqual([
    'merchant.created',
    'user.created',
    'access.declined',
    'operations.disabled',
    'operations.enabled',
    'merchant.disabled',
    'merchant.enabled',
  ]);
});

test('what customers and others call themselves does nothing to a terminal', async () => {
  const name = '\u001b]0;owned\u0007\u001b[2J\u009b31m\r\u202eAda';
  const made = await seedMerchant(app.context.service);
  const merchantId = made.merchant.id;
  await app.context.service.prisma.merchant.update({ where: { id: merchantId }, data: { name } });
  const { id, customerId } = await seedCharge(app.context.service, made);
  await app.context.service.prisma.charge.update({ where: { id }, data: { firstName: name } });
  for (const args of [
    ['customer', 'export', customerId],
    ['merchant', 'grant', merchantId],
    ['merchant', 'grant', name],
  ]) {
    for (const more of [[], ['--json']]) {
      const { stdout, stderr } = await runCli(env, [...args, ...more]);
      expect((stdout + stderr).replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u);
    }
  }
  expect((await askCli(env, 'customer', 'export', customerId)).charges).toMatchObject([{ firstName: name }]);
});

test('says what it needs, and knows the operations by name', async () => {
  const { merchant } = await seedMerchant(app.context.service, {}, new Date());
  const refused = await runCli(env, ['merchant', 'decline', merchant.id]);
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('--reason is required')]);
  const unknown = await runCli(env, ['merchant', 'disable-operation', merchant.id, 'chargse', '--json']);
  expect(unknown.code).toBe(1);
  expect(unknown.json.error).toMatchObject({
    code: 'invalid_request',
    errors: [{ path: '/operations' }],
  });
  expect((await runCli(env, ['merchant', 'disable-operation', merchant.id])).code).toBe(2);
});
