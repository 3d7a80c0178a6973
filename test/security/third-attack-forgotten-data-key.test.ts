import { expect, test } from 'vitest';
import { buildApp } from '../../src/app.ts';
import { readDataKeys } from '../../src/domain/platform/secrets/data-keys.ts';
import { openSecrets } from '../../src/domain/platform/secrets/open-secrets.ts';
import { rotateAppSecret } from '../../src/domain/platform/secrets/rotate-app-secret.ts';
import { deleteRetiredDataKeys, rotateDataKey } from '../../src/domain/platform/secrets/rotate-data-key.ts';
import { minuteMs } from '../../src/kit/duration.ts';
import { type DataKeys, newDataKey, openKeyring, StaleDataKeys } from '../../src/kit/secrets.ts';
import { isUnavailable } from '../../src/kit/unavailable.ts';
import { withClient } from '../../src/kit/with-client.ts';
import { basicAuth } from '../setup/api.ts';
import { setupApp } from '../setup/app.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { seedMerchant } from '../setup/seed.ts';
import { testAppSecret as first } from '../setup/service.ts';

const onCleanup = cleanupAfterFile();

/** Third penetration test: `secrets retire` never deletes a data key under which a process still encrypts. */

const second = 'the second secret of this test, long enough';
const column = 'webhook.password_encrypted';
const envOf = (appSecret: string, appSecretPrevious?: string) => ({
  appSecret,
  appSecretPrevious,
  dataDir: '',
});

const { context, connectionString } = await setupApp(onCleanup);

/** A process as far as its secrets go; `errors`: what it logs. */
async function startProcess(sources: ReturnType<typeof envOf>, reloadMs?: number) {
  const errors: string[] = [];
  const opened = await openSecrets(connectionString, {
    sources,
    onError: ({ message }) => errors.push(message),
    ...(reloadMs !== undefined && { reloadMs }),
  });
  onCleanup(async () => opened.stop());
  return { ...opened, errors };
}

const rotated = { sources: envOf(second), onProgress: () => {}, announceMs: 0 };
const currentKey = () =>
  withClient(connectionString, async (client) => (await readDataKeys(client, envOf(second))).current.id);

test('a process with an older APP_SECRET encrypts nothing after a rotation, and another one reads the new key without a notice', async () => {
  const behind = await startProcess(envOf(first), 50);
  const current = await startProcess(envOf(second, first), 50);
  const { keys } = await seedMerchant(context.service);
  const app = await buildApp({ ...context, service: { ...context.service, secrets: behind.secrets } });
  onCleanup(() => app.close());
  const createLink = (idempotencyKey: string) =>
    app.inject({
      method: 'POST',
      url: '/checkout-link',
      headers: { authorization: basicAuth(keys.live), 'idempotency-key': idempotencyKey },
      payload: { amount: 5, currency: 'HKD', apiKey: keys.live.publishableKey },
    });
  expect((await createLink('before')).statusCode).toBe(200);
  const old = behind.secrets.encrypt('old', column, 'wh_1');

  await withClient(connectionString, (client) =>
    rotateAppSecret(client, { sources: envOf(second, first), next: async () => second }),
  );
  await withClient(connectionString, (client) => rotateDataKey(client, rotated));
  const key = await currentKey();
  await expect.poll(() => current.secrets.hasDataKey(key)).toBe(true);
  await expect.poll(() => behind.errors.length).toBeGreaterThan(0);

  expect(() => behind.secrets.encrypt('lost', column, 'wh_1')).toThrow(StaleDataKeys);
  const rejected = await createLink('after');
  expect([rejected.statusCode, rejected.json().code]).toEqual([503, 'unavailable']);
  expect(await behind.secrets.decrypt(old, column, 'wh_1')).toBe('old');
  expect(current.secrets.encrypt('new', column, 'wh_1').startsWith(`${key}.`)).toBe(true);

  const forget = (minutes: number) =>
    withClient(connectionString, (client) =>
      deleteRetiredDataKeys(client, { ...rotated, now: new Date(Date.now() + minutes * minuteMs) }),
    );
  await expect(forget(6)).rejects.toThrow(/run this command after 20/);
  expect(await forget(8)).toBe(1);
  expect((await createLink('after')).statusCode).toBe(503);
});

test('encryption ends with the lease of the data keys, and begins again with the next read', async () => {
  const current = newDataKey();
  let isHanging = false;
  const load = () => (isHanging ? new Promise<DataKeys>(() => {}) : Promise.resolve({ current, others: [] }));
  const secrets = await openKeyring(load, { leaseMs: 200 });
  const encrypt = () => secrets.encrypt('text', column, 'wh_1');
  const before = encrypt();
  await expect.poll(() => isStale(encrypt)).toBe(true);
  expect(await secrets.decrypt(before, column, 'wh_1')).toBe('text');
  await secrets.reload();
  expect(encrypt()).not.toBe(before);
  isHanging = true;
  void secrets.reload();
  await expect.poll(() => isStale(encrypt)).toBe(true);
});

function isStale(encrypt: () => string): boolean {
  try {
    encrypt();
    return false;
  } catch (error) {
    expect(isUnavailable(error)).toBe(true);
    return true;
  }
}
