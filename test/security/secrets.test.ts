import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished } from 'vitest';
import { buildApp } from '../../src/app.ts';
import { createKeyPair } from '../../src/domain/accounts/certificate/create-certificate.ts';
import { hashPassword } from '../../src/domain/accounts/user/create-user.ts';
import { generateSigningSecret } from '../../src/domain/accounts/webhook/webhook-input.ts';
import { restoreBackup } from '../../src/domain/operations/backup/restore-backup.ts';
import { writeBackup } from '../../src/domain/operations/backup/write-backup.ts';
import { checkInvariants } from '../../src/domain/operations/check/check-invariants.ts';
import { eraseCustomer } from '../../src/domain/operations/customer-data/erase-customer.ts';
import { exportCustomer } from '../../src/domain/operations/customer-data/export-customer.ts';
import {
  createCancelToken,
  createClientToken,
  createPageToken,
} from '../../src/domain/payments/customer-page/page-tokens.ts';
import { readDataKeys } from '../../src/domain/platform/secrets/data-keys.ts';
import { openSecrets } from '../../src/domain/platform/secrets/open-secrets.ts';
import { rotateAppSecret } from '../../src/domain/platform/secrets/rotate-app-secret.ts';
import { deleteRetiredDataKeys, rotateDataKey } from '../../src/domain/platform/secrets/rotate-data-key.ts';
import { minuteMs } from '../../src/kit/duration.ts';
import { getIdType, getLowestId, type IdType, newId } from '../../src/kit/id.ts';
import { createLogger } from '../../src/kit/log.ts';
import {
  type DataKeys,
  encryptedColumns,
  newDataKey,
  openKeyring,
  StaleDataKeys,
} from '../../src/kit/secrets.ts';
import { newToken } from '../../src/kit/token.ts';
import { isUnavailable } from '../../src/kit/unavailable.ts';
import { withClient } from '../../src/kit/with-client.ts';
import { basicAuth } from '../setup/api.ts';
import type { TestApp } from '../setup/app.ts';
import { systemTimeAppTest } from '../setup/app-fixtures.ts';
import { createEmptyDatabase } from '../setup/database.ts';
import { exerciseEveryFeature, seededCustomer } from '../setup/exercise-every-feature.ts';
import { createFakeClock } from '../setup/fake-clock.ts';
import { fileTest } from '../setup/fixtures.ts';
import { type GraphqlApp, setupGraphqlApp } from '../setup/graphql.ts';
import { createLineScanner, failOnLoggedSecrets, findSecrets, scanLog } from '../setup/logged-secrets.ts';
import { noon, seedMerchant } from '../setup/seed.ts';
import { testAppSecret as first, testAppSecret, testSecrets } from '../setup/service.ts';
import { password } from '../setup/sign-in.ts';
import { createTempDir } from '../setup/temp-dir.ts';
import {
  decryptAll,
  type EncryptedValue,
  readEncryptedColumns,
  readEncryptedValues,
} from './encrypted-values.ts';

type Log = { text: string };

/** An application in which every feature was used. */
const storedSecretsTest = fileTest
  .extend('clock', { scope: 'file' }, () => createFakeClock(new Date()))
  .extend('log', { scope: 'file' }, (): Log => ({ text: '' }))
  .extend('emptyApp', { scope: 'file' }, ({ onFileCleanup, clock, log }) => {
    const write = (line: string) => {
      log.text += line;
    };
    return setupGraphqlApp(onFileCleanup, { clock, log: createLogger('trace', { write }) });
  })
  .extend('seeded', { scope: 'file' }, ({ emptyApp, clock }) => exerciseEveryFeature(emptyApp, clock))
  .extend('app', { scope: 'file' }, ({ emptyApp, seeded: _seeded }) => emptyApp);

describe('Stored secrets', () => {
  const test = storedSecretsTest;

  type Column = { table: string; column: string; type: string };

  async function listColumns(app: GraphqlApp): Promise<Column[]> {
    const { rows } = await app.context.service.pool.query<Column>(
      `SELECT table_name AS table, column_name AS column, data_type AS type FROM information_schema.columns
     WHERE table_schema = current_schema() AND table_name <> '_prisma_migrations' ORDER BY 1, 2`,
    );
    return rows;
  }

  /** The content of the database, a line for each row. */
  async function dumpRows(app: GraphqlApp): Promise<string> {
    const tables = [...new Set((await listColumns(app)).map(({ table }) => table))];
    const parts: string[] = [];
    for (const table of tables) {
      const { rows } = await app.context.service.pool.query(
        `SELECT to_jsonb(t)::text AS row FROM "${table}" t`,
      );
      parts.push(...rows.map(({ row }) => `${table}: ${row}`));
    }
    return parts.join('\n');
  }

  test('are in columns that are declared with the primary key of their table, and named `_encrypted`', async ({
    app,
  }) => {
    const catalog = await readEncryptedColumns(app.context.service.pool);
    expect(Object.fromEntries(catalog.map(({ name, key }) => [name, key]))).toEqual(encryptedColumns);
    const schema = await readFile(new URL('../../prisma/schema.prisma', import.meta.url), 'utf8');
    const lines = schema.split('\n');
    const described = lines.filter(
      (line, i) => /^\s+\/\/\/.*encrypted/i.test(lines[i - 1] ?? '') && /^\s+\w+ +(String|Bytes)/.test(line),
    );
    expect(described.length).toBeGreaterThan(5);
    expect(described.filter((line) => !line.includes('_encrypted"'))).toEqual([]);
  });

  test('can be decrypted only in their own column and row', async ({ app }) => {
    const { secrets } = app.context.service;
    const values = await readEncryptedValues(app.context.service.pool);
    await decryptAll(secrets, values);
    const byColumn = Map.groupBy(values, ({ column }) => column);
    expect([...byColumn.keys()].sort()).toEqual(Object.keys(encryptedColumns).sort());
    for (const { column, row } of values) {
      const others = [...byColumn.values()].flatMap((ofColumn) =>
        ofColumn
          .filter((value) => value.column !== column || value.row.toString() !== row.toString())
          .slice(0, 2),
      );
      expect(others.length).toBeGreaterThan(10);
      for (const { value } of others)
        await expect(secrets.decrypt(value, column, row)).rejects.toThrow(
          /^[a-z_.]+:.+ cannot be decrypted: the value was changed, or belongs to another row$/,
        );
    }
  });

  test('exist in every encrypted column, every table has a row, and all invariants hold', async ({ app }) => {
    const tables = [...new Set((await listColumns(app)).map(({ table }) => table))];
    const empty: string[] = [];
    for (const table of tables) {
      const { rows } = await app.context.service.pool.query(`SELECT 1 FROM "${table}" LIMIT 1`);
      if (rows.length === 0) empty.push(table);
    }
    // Changes of the counts of charges are folded into them.
    expect(empty).toEqual(['charge_count_delta']);
    const filled = new Set((await readEncryptedValues(app.context.service.pool)).map(({ column }) => column));
    expect([...filled].sort()).toEqual(Object.keys(encryptedColumns).sort());
    expect(await checkInvariants(app.context.service)).toEqual([]);
  });

  /** Empty text columns without IDs, by the party that fills them, which is never a customer. */
  const filledByOthers: Record<string, readonly string[]> = {
    'the merchant, as settings': [
      'api_key.allowed_origins',
      'checkout_link.name',
      'checkout_link.payment_methods',
      'checkout_session.language',
      'checkout_session.methods',
      'invoice.merchant_address',
      'invoice.merchant_tax_number',
      'invoice.tax_name',
      'merchant.brand_color',
      'merchant.country',
      'merchant.display_name',
      'merchant.payment_windows',
      'merchant.additional_phone_countries',
      'merchant.postal_address',
      'merchant.privacy_url',
      'merchant.redirect_schemes',
      'merchant.support_email',
      'merchant.tax_number',
      'merchant.terms_url',
      'merchant.website_url',
      'refund.reason',
      'subscription.methods',
      'subscription_link.methods',
      'subscription_plan.methods',
      'subscription_plan.tax_name',
      'webhook.event_types',
      'webhook.name',
    ],
    'the merchant, where it sends customers and notifications': [
      'charge.notify_url',
      'charge.redirect_url',
      'checkout_link.redirect_url',
      'checkout_session.cancel_url',
      'checkout_session.notify_url',
      'checkout_session.redirect_url',
      'event.callback_url',
      'subscription.redirect_url',
      'subscription_link.redirect_url',
    ],
    'the merchant, as free text, which docs/guides/personal-data.md documents as kept': [
      'allocation.note',
      'checkout_link.notify_payload',
      'checkout_link.orders',
      'checkout_session.notify_payload',
      'checkout_session.orders',
      'invoice.orders',
      'receiving_account.ignored_texts',
      'refund.reopen_reason',
      'subscription_plan.orders',
      'transfer.note',
    ],
    'the merchant, as free text, which an erasure deletes': [
      'charge.metadata',
      'charge.note',
      'checkout_link.metadata',
      'checkout_session.metadata',
      'customer.note',
      'refund.metadata',
      'refund.note',
      'subscription.metadata',
      'subscription_link.metadata',
    ],
    'the merchant’s own bank account, if a file has several': ['statement.file_account'],
    'the bank, as figures of its statements and names of its files': [
      'feed_delivery.file_name',
      'statement.discrepancies',
    ],
    'a user, as their ID': ['statement.confirmed_by', 'statement.undone_by'],
    'an operator': [
      'forex_rate.set_by',
      'merchant.restricted_access_decline_reason',
      'merchant.disabled_operations',
      'merchant.move_code_hash',
      'merchant.moved_to',
    ],
    'the service, for errors and running work': [
      'bank_feed.poll_state',
      'charge_count_delta.customer_currency',
      'charge_count_delta.method',
      'export.failure_reason',
      'feed_delivery.statement_ids',
      'message.last_error',
      'notice_setting.alert_ids',
      'notification_attempt.response_body',
      'notification_attempt.error',
      'refund.previous_payout_references',
      'statement.failure_reason',
      'transfer.batch_reference',
      'webhook.disabled_reason',
      'webhook.leased_by',
    ],
  };

  test('are tested with a value in every column that can contain customer data', async ({ app }) => {
    const empty: string[] = [];
    for (const { table, column, type } of await listColumns(app)) {
      if (!['text', 'jsonb', 'json', 'bytea', 'ARRAY'].includes(type)) continue;
      if (column.endsWith('_id')) continue;
      const { rows } = await app.context.service.pool.query(
        `SELECT 1 FROM "${table}" WHERE "${column}" IS NOT NULL AND "${column}"::text NOT IN ('', '{}', '[]') LIMIT 1`,
      );
      if (rows.length === 0) empty.push(`${table}.${column}`);
    }
    expect(empty.sort()).toEqual(Object.values(filledByOthers).flat().sort());
  });

  test('have ids with the time of their row, in every table', async ({ app }) => {
    const all = await listColumns(app);
    const dated = all.filter(({ table, column, type }) => {
      return (
        column === 'id' &&
        type === 'text' &&
        !['data_key', 'imported_signing_key'].includes(table) &&
        all.some((column) => column.table === table && column.column === 'created_at')
      );
    });
    expect(dated.length).toBeGreaterThan(20);
    for (const { table } of dated) {
      const { rows } = await app.context.service.pool.query(`SELECT id, created_at AS at FROM "${table}"`);
      const wrong = rows.filter(({ id, at }) => !id.startsWith(getLowestId(getIdType(id) as IdType, at)));
      expect(wrong, table).toEqual([]);
    }
  });

  describe('in plain text', () => {
    test('are not in a dump of the database', async ({ app, seeded }) => {
      const text = await dumpRows(app);
      expect(Object.keys(seeded.secrets).length).toBeGreaterThan(18);
      expect(findNames(seeded.secrets, text)).toEqual([]);
      // Secrets that are needed again are stored encrypted.
      const readable = ['webhook password', 'signing secret', 'previous signing secret', 'two-factor secret'];
      const inside = (
        await decryptAll(app.context.service.secrets, await readEncryptedValues(app.context.service.pool))
      ).join('\n');
      expect(readable.filter((name) => !inside.includes(seeded.secrets[name]!))).toEqual([]);
      for (const key of ['PRIVATE KEY', testAppSecret]) expect(text).not.toContain(key);
    });

    test('are not in the log at the most detailed level', ({ log, seeded }) => {
      expect(log.text).toContain('"path":"/graphql"');
      expect(log.text).toContain('"reqId":"req_');
      expect(findNames({ ...seeded.secrets, 'app secret': testAppSecret }, log.text)).toEqual([]);
      expect(log.text).not.toMatch(/authorization|PRIVATE KEY|set-cookie/i);
      // The log does not identify customers either.
      for (const word of [seededCustomer.email, seededCustomer.e164, seededCustomer.lastName])
        expect(log.text).not.toContain(word);
    });
  });

  function findNames(secrets: Record<string, string>, text: string): string[] {
    return Object.entries(secrets)
      .filter(([, secret]) => text.includes(secret))
      .map(([name]) => name);
  }

  describe('of a customer', () => {
    const words = [
      seededCustomer.email,
      seededCustomer.e164,
      seededCustomer.firstName,
      seededCustomer.lastName,
      seededCustomer.phone.phone,
    ];
    const findHolders = (text: string) => {
      const lines = text
        .split('\n')
        .filter((line) => words.some((word) => line.toLowerCase().includes(word.toLowerCase())));
      return [...new Set(lines.map((line) => line.split(':')[0]))].sort();
    };

    test('are complete in the export', async ({ app, seeded }) => {
      const exported = await exportCustomer(app.context.service, { id: seeded.customerId });
      const filled = Object.entries(exported).filter(
        ([, value]) => !Array.isArray(value) || value.length > 0,
      );
      expect(filled.map(([name]) => name).sort()).toEqual(Object.keys(exported).sort());
    });

    test('are erased from all tables, except pending payouts and transfers of unknown payers', async ({
      app,
      clock,
      seeded,
    }) => {
      const { service } = app.context;
      expect(findHolders(await dumpRows(app)).length).toBeGreaterThan(6);
      // The payer who gave only a phone is another customer.
      const byPhone = await service.prisma.customer.findFirstOrThrow({
        where: { phone: seededCustomer.e164, email: null },
      });
      for (const id of [seeded.customerId, byPhone.id])
        await eraseCustomer(service, { id, now: clock.now() });
      expect(findHolders(await dumpRows(app))).toEqual(['event', 'search_entry', 'transfer']);
      const remaining = await service.prisma.transfer.findMany({
        where: { payerName: { contains: seededCustomer.lastName } },
      });
      expect(remaining).toMatchObject([{ status: 'exception', reference: 'no reference' }]);
      const events = await service.prisma.event.findMany({
        where: { payload: { contains: seededCustomer.lastName } },
      });
      expect(events).toMatchObject([{ type: 'transfer_exception', objectId: remaining[0]!.id }]);
      // These are the encrypted details of the refund that is being paid.
      const values = await readEncryptedValues(app.context.service.pool);
      const texts = await decryptAll(service.secrets, values);
      const inside = values.filter((_, i) => words.some((word) => texts[i]!.includes(word)));
      expect(inside.map(({ column }) => column)).toEqual(['refund.details_encrypted']);
      const [refund] = await service.prisma.refund.findMany({ where: { detailsEncrypted: { not: null } } });
      expect(refund?.status).toBe('processing');
    });
  });

  test('are re-encrypted with a new data key in a restored backup', async ({ app, clock }) => {
    const sources = { appSecret: testAppSecret, appSecretPrevious: undefined, dataDir: '' };
    const file = join(await createTempDir(onTestFinished), 'backup.gz');
    const options = { file, requireSecret: async () => {}, onProgress: () => {} };
    await withClient(app.connectionString, (client) => writeBackup(client, { ...options, now: clock.now() }));
    const restored = await createEmptyDatabase(onTestFinished);
    await restoreBackup(restored, options);
    await withClient(restored, async (client) => {
      const before = await readEncryptedValues(client);
      const plain = await decryptAll(app.context.service.secrets, before);
      await rotateDataKey(client, { ...options, sources, announceMs: 0 });
      const { current } = await readDataKeys(client, sources);
      const rotated = await openKeyring(async () => ({ current, others: [] }));
      const after = await readEncryptedValues(client);
      expect(new Set(await decryptAll(rotated, after))).toEqual(new Set(plain));
      const getColumns = (values: EncryptedValue[]) => values.map(({ column }) => column).sort();
      expect(getColumns(after)).toEqual(getColumns(before));
    });
  });
});

describe('Retired data keys', () => {
  const test = systemTimeAppTest;

  const second = 'the second secret of this test, long enough';
  const column = 'webhook.password_encrypted';
  const toSources = (appSecret: string, appSecretPrevious?: string) => ({
    appSecret,
    appSecretPrevious,
    dataDir: '',
  });

  /** The secrets of a process; `errors` are those that it logs. */
  async function startProcess(app: TestApp, sources: ReturnType<typeof toSources>, reloadMs?: number) {
    const errors: string[] = [];
    const opened = await openSecrets(app.connectionString, {
      sources,
      onError: ({ message }) => errors.push(message),
      ...(reloadMs !== undefined && { reloadMs }),
    });
    onTestFinished(async () => opened.stop());
    return { ...opened, errors };
  }

  const rotated = { sources: toSources(second), onProgress: () => {}, announceMs: 0 };
  const readCurrentKey = (app: TestApp) =>
    withClient(
      app.connectionString,
      async (client) => (await readDataKeys(client, toSources(second))).current.id,
    );

  test('are not used by a process with an older APP_SECRET, while another process reads the new key without a notification', async ({
    app,
  }) => {
    const behind = await startProcess(app, toSources(first), 50);
    const current = await startProcess(app, toSources(second, first), 50);
    const { keys } = await seedMerchant(app.context.service);
    const server = await buildApp({
      ...app.context,
      service: { ...app.context.service, secrets: behind.secrets },
    });
    onTestFinished(() => server.close());
    const createLink = (idempotencyKey: string) =>
      server.inject({
        method: 'POST',
        url: '/checkout-link',
        headers: { authorization: basicAuth(keys.live), 'idempotency-key': idempotencyKey },
        payload: { amount: 5, currency: 'HKD', apiKey: keys.live.publishableKey },
      });
    expect((await createLink('before')).statusCode).toBe(200);
    const old = behind.secrets.encrypt('old', column, 'wh_1');

    await withClient(app.connectionString, (client) =>
      rotateAppSecret(client, { sources: toSources(second, first), getNewSecret: async () => second }),
    );
    await withClient(app.connectionString, (client) => rotateDataKey(client, rotated));
    const key = await readCurrentKey(app);
    await expect.poll(() => current.secrets.hasDataKey(key)).toBe(true);
    await expect.poll(() => behind.errors.length).toBeGreaterThan(0);

    expect(() => behind.secrets.encrypt('lost', column, 'wh_1')).toThrow(StaleDataKeys);
    const rejected = await createLink('after');
    expect([rejected.statusCode, rejected.json().code]).toEqual([503, 'unavailable']);
    expect(await behind.secrets.decrypt(old, column, 'wh_1')).toBe('old');
    expect(current.secrets.encrypt('new', column, 'wh_1').startsWith(`${key}.`)).toBe(true);

    const retire = (minutes: number) =>
      withClient(app.connectionString, (client) =>
        deleteRetiredDataKeys(client, { ...rotated, now: new Date(Date.now() + minutes * minuteMs) }),
      );
    await expect(retire(6)).rejects.toThrow(/run this command after 20/);
    expect(await retire(8)).toBe(1);
    expect((await createLink('after')).statusCode).toBe(503);
  });

  test('are not used after their lease, until the next read', async () => {
    const current = newDataKey();
    let isHanging = false;
    const load = () =>
      isHanging ? new Promise<DataKeys>(() => {}) : Promise.resolve({ current, others: [] });
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
});

describe('Log of the tests', () => {
  const test = systemTimeAppTest;

  const toLine = (text: string) => JSON.stringify({ level: 30, msg: `before ${text} after` });

  test('reports each kind of secret in a line, and no ordinary line', async ({ app }) => {
    const { keys } = await seedMerchant(app.context.service);
    const charge = { id: newId('charge', noon), mode: 'live' } as const;
    const secrets: Record<string, string> = {
      'an API secret': keys.live.apiSecret,
      'a sandbox secret': keys.sandbox.apiSecret,
      'a signing secret': generateSigningSecret(),
      'HTTP Basic': basicAuth(keys.live),
      'a bearer': `Bearer ${newToken()}`,
      'a session’s cookie': `causeway-session=${newToken()}`,
      'a browser’s cookie': `__Host-causeway_browser=${newToken()}`,
      'a client token': createClientToken(testSecrets, charge),
      'a cancel token in an address': `/charges/${charge.id}/cancel?cancelToken=${createCancelToken(testSecrets, charge)}`,
      'a page’s token': createPageToken(testSecrets, 'refund', {
        id: newId('refund', noon),
        mode: 'live',
        linkVersion: 1,
      }),
      'the link of a mail': `http://127.0.0.1:4000/dashboard/reset-password#${newToken()}`,
      'a private key': (await createKeyPair()).privateKey,
      'a hash of a password': await hashPassword(password),
      'a database’s password': 'postgresql://causeway:hunter2@127.0.0.1:5432/causeway',
      'the secret of the tests': testAppSecret,
      'a password': password,
      'a customer’s address': 'ada@example.com',
    };
    const unseen = Object.entries(secrets).filter(([, secret]) => findSecrets(toLine(secret)).length === 0);
    expect(unseen.map(([name]) => name)).toEqual([]);
    for (const plain of [
      { msg: 'request completed', req: { method: 'GET', path: `/charges/${charge}` }, reqId: 'req_0' },
      { msg: 'request completed', req: { method: 'POST', path: '/pay/refund/…' }, responseTime: 1.5 },
      { err: { type: 'Error', message: 'connect ECONNREFUSED postgresql://127.0.0.1:5432/causeway' } },
    ])
      expect(findSecrets(JSON.stringify(plain))).toEqual([]);
  });

  describe('of an application or process', () => {
    const readFailure = () => {
      try {
        failOnLoggedSecrets();
        return '';
      } catch (error) {
        return String(error);
      }
    };

    test('is scanned, and a secret in it fails the file', async ({ app }) => {
      app.app.log.info('ordinary');
      expect(readFailure()).toBe('');
      app.app.log.warn({ of: 'a test' }, 'ada@example.com');
      app.app.log.child({ token: `causeway-session=${newToken()}` }).trace('deep down');
      expect(readFailure()).toMatch(/an address of a customer: .*\n?.*a cookie: /s);
      // Each secret is reported once.
      expect(readFailure()).toBe('');
    });

    test('is scanned line by line for chunks of any size', () => {
      const read = createLineScanner();
      const line = toLine('-----BEGIN PRIVATE KEY-----');
      for (const letter of `${toLine('nothing')}\n${line}`) read(letter);
      expect(readFailure()).toBe('');
      read(Buffer.from('\n'));
      expect(readFailure()).toContain('a private key');
      scanLog(toLine('nothing'));
      expect(readFailure()).toBe('');
    });
  });
});
