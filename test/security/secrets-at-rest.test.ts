import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { restoreBackup } from '../../src/domain/operations/backup/restore-backup.ts';
import { writeBackup } from '../../src/domain/operations/backup/write-backup.ts';
import { checkInvariants } from '../../src/domain/operations/check/check-invariants.ts';
import { eraseCustomer } from '../../src/domain/operations/customer-data/erase-customer.ts';
import { exportCustomer } from '../../src/domain/operations/customer-data/export-customer.ts';
import { readDataKeys } from '../../src/domain/platform/secrets/data-keys.ts';
import { rotateDataKey } from '../../src/domain/platform/secrets/rotate-data-key.ts';
import { getIdNoun, type IdNoun, lowestIdAt } from '../../src/kit/id.ts';
import { createLogger } from '../../src/kit/log.ts';
import { encryptedColumns, openKeyring } from '../../src/kit/secrets.ts';
import { withClient } from '../../src/kit/with-client.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { createEmptyDatabase } from '../setup/database.ts';
import {
  decryptAll,
  type EncryptedValue,
  readEncryptedColumns,
  readEncryptedValues,
} from '../setup/encrypted-values.ts';
import { createFakeClock } from '../setup/fake-clock.ts';
import { type GraphqlApp, setupGraphqlApp } from '../setup/graphql.ts';
import { type SeededFeatures, seedEveryFeature, seededCustomer } from '../setup/seed-every-feature.ts';
import { testAppSecret } from '../setup/service.ts';
import { createTempDir } from '../setup/temp-dir.ts';

const onCleanup = cleanupAfterFile();

/**
 * What the database and the log contain after every feature was used, and how a new data key and an erasure change it.
 */

let app: GraphqlApp;
let walk: SeededFeatures;
let logged = '';
const clock = createFakeClock(new Date());

beforeAll(async () => {
  const log = createLogger('trace', {
    write: (line) => {
      logged += line;
    },
  });
  app = await setupGraphqlApp(onCleanup, { clock, log });
  walk = await seedEveryFeature(app, clock);
});

type Column = { table: string; column: string; type: string };

async function columns(): Promise<Column[]> {
  const { rows } = await app.context.service.pool.query<Column>(
    `SELECT table_name AS table, column_name AS column, data_type AS type FROM information_schema.columns
     WHERE table_schema = current_schema() AND table_name <> '_prisma_migrations' ORDER BY 1, 2`,
  );
  return rows;
}

/** All that is in the database, as a dump would show it: a line for each row. */
async function dump(): Promise<string> {
  const tables = [...new Set((await columns()).map(({ table }) => table))];
  const parts: string[] = [];
  for (const table of tables) {
    const { rows } = await app.context.service.pool.query(
      `SELECT to_jsonb(t)::text AS row FROM "${table}" t`,
    );
    parts.push(...rows.map(({ row }) => `${table}: ${row}`));
  }
  return parts.join('\n');
}

test('every encrypted column is declared with the primary key of its table, and is named so', async () => {
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

test('an encrypted value decrypts in its own column and row only', async () => {
  const { secrets } = app.context.service;
  const values = await readEncryptedValues(app.context.service.pool);
  await decryptAll(secrets, values);
  const byColumn = Map.groupBy(values, ({ column }) => column);
  expect([...byColumn.keys()].sort()).toEqual(Object.keys(encryptedColumns).sort());
  for (const { column, row } of values) {
    const others = [...byColumn.values()].flatMap((ofColumn) =>
      ofColumn.filter((one) => one.column !== column || one.row.toString() !== row.toString()).slice(0, 2),
    );
    expect(others.length).toBeGreaterThan(10);
    for (const { value } of others)
      await expect(secrets.decrypt(value, column, row)).rejects.toThrow(
        /^[a-z_.]+:.+ cannot be decrypted: the value was changed, or belongs to another row$/,
      );
  }
});

test('every table has a row and every encrypted column a value, and every promise holds', async () => {
  const tables = [...new Set((await columns()).map(({ table }) => table))];
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

/** Columns of text that the walk leaves empty, by who fills them: never a customer. Ids of other rows beside. */
const filledByOthers: Record<string, readonly string[]> = {
  'the merchant, as its set-up': [
    'api_key.allowed_origins',
    'checkout_link.payment_methods',
    'checkout_session.methods',
    'invoice.merchant_address',
    'merchant.payment_windows',
    'merchant.phone_countries',
    'merchant.postal_address',
    'merchant.redirect_schemes',
    'subscription.methods',
    'subscription_link.methods',
    'subscription_plan.methods',
    'webhook.event_types',
  ],
  'the merchant, where it sends customers and notifications': [
    'charge.notify_url',
    'charge.redirect_url',
    'checkout_link.redirect_url',
    'checkout_session.notify_url',
    'checkout_session.redirect_url',
    'event.callback_url',
    'subscription.redirect_url',
    'subscription_link.redirect_url',
  ],
  'the merchant, in its own words, which docs/guides/personal-data.md names as what stays': [
    'allocation.note',
    'checkout_link.notify_payload',
    'checkout_link.orders',
    'checkout_session.notify_payload',
    'checkout_session.orders',
    'invoice.orders',
    'refund.reopen_reason',
    'subscription_plan.orders',
  ],
  'an operator': ['forex_rate.set_by', 'merchant.access_decline_reason', 'merchant.disabled_operations'],
  'the service, of faults and work under way': [
    'charge_count_delta.customer_currency',
    'charge_count_delta.method',
    'export.error_reason',
    'message.last_error',
    'notification_attempt.response_body',
    'notification_attempt.error',
    'refund.previous_payout_references',
    'statement.error_reason',
    'statement.leased_by',
    'transfer.batch_reference',
    'webhook.disabled_reason',
    'webhook.leased_by',
  ],
};

test('every column that could hold something of a customer has a value', async () => {
  const empty: string[] = [];
  for (const { table, column, type } of await columns()) {
    if (!['text', 'jsonb', 'json', 'bytea', 'ARRAY'].includes(type)) continue;
    if (column.endsWith('_id')) continue;
    const { rows } = await app.context.service.pool.query(
      `SELECT 1 FROM "${table}" WHERE "${column}" IS NOT NULL AND "${column}"::text NOT IN ('', '{}', '[]') LIMIT 1`,
    );
    if (rows.length === 0) empty.push(`${table}.${column}`);
  }
  expect(empty.sort()).toEqual(Object.values(filledByOthers).flat().sort());
});

test('the time in an id is that of its row, in every table', async () => {
  const all = await columns();
  const dated = all.filter(({ table, column, type }) => {
    return (
      column === 'id' &&
      type === 'text' &&
      table !== 'data_key' &&
      all.some((one) => one.table === table && one.column === 'created_at')
    );
  });
  expect(dated.length).toBeGreaterThan(20);
  for (const { table } of dated) {
    const { rows } = await app.context.service.pool.query(`SELECT id, created_at AS at FROM "${table}"`);
    const wrong = rows.filter(({ id, at }) => !id.startsWith(lowestIdAt(getIdNoun(id) as IdNoun, at)));
    expect(wrong, table).toEqual([]);
  }
});

describe('no secret', () => {
  test('stands in a dump of the database in the clear', async () => {
    const text = await dump();
    expect(Object.keys(walk.secrets).length).toBeGreaterThan(18);
    expect(found(walk.secrets, text)).toEqual([]);
    // Those that must be known again are there encrypted.
    const kept = ['webhook password', 'signing secret', 'signing secret before', 'two-step secret'];
    const inside = (
      await decryptAll(app.context.service.secrets, await readEncryptedValues(app.context.service.pool))
    ).join('\n');
    expect(kept.filter((name) => !inside.includes(walk.secrets[name]!))).toEqual([]);
    for (const key of ['PRIVATE KEY', testAppSecret]) expect(text).not.toContain(key);
  });

  test('is in the log, whose level tells everything', () => {
    expect(logged).toContain('"path":"/graphql"');
    expect(logged).toContain('"reqId":"req_');
    expect(found({ ...walk.secrets, 'app secret': testAppSecret }, logged)).toEqual([]);
    expect(logged).not.toMatch(/authorization|PRIVATE KEY|set-cookie/i);
    // Nor who the customers are.
    for (const word of [seededCustomer.email, seededCustomer.e164, seededCustomer.lastName])
      expect(logged).not.toContain(word);
  });
});

function found(secrets: Record<string, string>, text: string): string[] {
  return Object.entries(secrets)
    .filter(([, secret]) => text.includes(secret))
    .map(([name]) => name);
}

describe('a customer', () => {
  const words = [
    seededCustomer.email,
    seededCustomer.e164,
    seededCustomer.firstName,
    seededCustomer.lastName,
    seededCustomer.phone.phone,
  ];
  const holders = (text: string) => {
    const lines = text
      .split('\n')
      .filter((line) => words.some((word) => line.toLowerCase().includes(word.toLowerCase())));
    return [...new Set(lines.map((line) => line.split(':')[0]))].sort();
  };

  test('is given all that is kept', async () => {
    const told = await exportCustomer(app.context.service, { id: walk.customerId });
    const filled = Object.entries(told).filter(([, value]) => !Array.isArray(value) || value.length > 0);
    expect(filled.map(([name]) => name).sort()).toEqual(Object.keys(told).sort());
  });

  test('is found in no row of any table once erased, but where money is on its way, or came from nobody known', async () => {
    const { service } = app.context;
    expect(holders(await dump()).length).toBeGreaterThan(6);
    // Who paid by the phone alone, without an e-mail, is a customer by that.
    const byPhone = await service.prisma.customer.findFirstOrThrow({
      where: { phone: seededCustomer.e164, email: null },
    });
    for (const id of [walk.customerId, byPhone.id]) await eraseCustomer(service, { id, now: clock.now() });
    expect(holders(await dump())).toEqual(['event', 'transfer']);
    const left = await service.prisma.transfer.findMany({
      where: { payerName: { contains: seededCustomer.lastName } },
    });
    expect(left).toMatchObject([{ status: 'exception', reference: 'no such word' }]);
    const told = await service.prisma.event.findMany({
      where: { payload: { contains: seededCustomer.lastName } },
    });
    expect(told).toMatchObject([{ type: 'transfer_exception', objectId: left[0]!.id }]);
    // What is encrypted: where the refund that is being paid goes.
    const values = await readEncryptedValues(app.context.service.pool);
    const texts = await decryptAll(service.secrets, values);
    const inside = values.filter((_, i) => words.some((word) => texts[i]!.includes(word)));
    expect(inside.map(({ column }) => column)).toEqual(['refund.details_encrypted']);
    const [refund] = await service.prisma.refund.findMany({ where: { detailsEncrypted: { not: null } } });
    expect(refund?.status).toBe('processing');
  });
});

test('a new data key re-encrypts every column, in a restored backup of all of it', async () => {
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
    const columnsOf = (values: EncryptedValue[]) => values.map(({ column }) => column).sort();
    expect(columnsOf(after)).toEqual(columnsOf(before));
  });
});
