import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { seedMerchant } from '../setup/seed.ts';
import { setupService } from '../setup/service.ts';
import { createTempDir } from '../setup/temp-dir.ts';
import { databaseUrl } from '../setup/template.ts';
import { getTestPostgres } from '../setup/test-postgres.ts';
import { runServiceForTest } from './run-service.ts';

const onCleanup = cleanupAfterFile();

const secret = 'not the secret of the tests, but long enough';

/** What an operator reads who starts it so: the exit code must say that it did not start. */
async function refusal(env: Record<string, string>): Promise<string> {
  const service = runServiceForTest(onTestFinished, env);
  expect(await service.ended).toBe(1);
  expect(service.said()).not.toContain('is ready');
  const message = service.logged();
  expect(message).not.toContain('at file://');
  return message;
}

test('a bad environment: every fault at once, each with its variable', async () => {
  const message = await refusal({
    PORT: '99999',
    HOST: 'here:4000',
    PUBLIC_URL: 'https://pay.example/causeway',
    TRUST_PROXY: '10.0.0.0/8, somewhere',
    DATABASE_URL: 'mysql://127.0.0.1/causeway',
    DATABASE_POOL_SIZE: '1',
    APP_SECRET: 'short',
    MONGODB_URL: 'http://127.0.0.1',
    ROLE: 'leader',
    DEMO: 'perhaps',
    EXCHANGE_RATE_FEEDS: 'https://rates.example feed.xml',
    ALLOW_PRIVATE_WEBHOOK_URLS: 'sometimes',
    RATE_LIMIT: '-1',
    LOG_LEVEL: 'loud',
    METRICS_TOKEN: 'short',
  });
  const lines = message.trim().split('\n');
  expect(lines[0]).toBe('The configuration is invalid:');
  expect(lines.slice(1).map((line) => line.trim().split(' ')[0])).toEqual(
    expect.arrayContaining([
      'PORT',
      'HOST',
      'PUBLIC_URL',
      'TRUST_PROXY',
      'DATABASE_URL',
      'DATABASE_POOL_SIZE',
      'APP_SECRET',
      'MONGODB_URL',
      'ROLE',
      'DEMO',
      'EXCHANGE_RATE_FEEDS',
      'ALLOW_PRIVATE_WEBHOOK_URLS',
      'RATE_LIMIT',
      'LOG_LEVEL',
      'METRICS_TOKEN',
    ]),
  );
});

test('what belongs together: DATABASE_URL needs APP_SECRET, and one role alone needs DATABASE_URL', async () => {
  expect(await refusal({ DATABASE_URL: 'postgresql://127.0.0.1/x' })).toMatch(/^ {2}APP_SECRET is required/m);
  expect(await refusal({ ROLE: 'worker' })).toMatch(/^ {2}ROLE: .* set DATABASE_URL$/m);
});

test('a DATA_DIR that cannot be made or written', async () => {
  const folder = await createTempDir(onTestFinished);
  await writeFile(join(folder, 'file'), '');
  const dataDir = join(folder, 'file', 'data');
  expect(await refusal({ DATA_DIR: dataDir })).toContain(`DATA_DIR (${dataDir}) cannot be created`);
});

test('an address that is not of this machine', async () => {
  const folder = await createTempDir(onTestFinished);
  expect(await refusal({ DATA_DIR: folder, HOST: '192.0.2.1' })).toContain(
    'HOST: 192.0.2.1 is not an address of this machine',
  );
});

test('a DATABASE_URL where nothing answers, or that is not let in, names it and never the password', async () => {
  const env = { APP_SECRET: secret };
  const down = await refusal({ ...env, DATABASE_URL: 'postgresql://ada:letmein@127.0.0.1:1/causeway' });
  expect(down).toContain('DATABASE_URL: cannot reach PostgreSQL at 127.0.0.1:1');
  expect(down).not.toContain('letmein');

  const missing = databaseUrl((await getTestPostgres()).url, 'no_such_database');
  expect(await refusal({ ...env, DATABASE_URL: missing })).toMatch(/DATABASE_URL: .*create it first/);
});

test('another APP_SECRET than the one the database was encrypted with', async () => {
  const service = await setupService(onCleanup);
  await seedMerchant(service);
  const env = { DATABASE_URL: service.connectionString, APP_SECRET: secret };
  expect(await refusal(env)).toContain('APP_SECRET does not match this database');
});
