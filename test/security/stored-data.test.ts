import { readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { transact } from '../../src/event/unit-of-work.ts';
import { type JobContext, serviceJobs } from '../../src/jobs/definitions.ts';
import type { Tx } from '../../src/kit/db.ts';
import { type IdType, newId } from '../../src/kit/id.ts';
import { copyRows } from '../setup/copy-rows.ts';
import { exerciseEveryFeature } from '../setup/exercise-every-feature.ts';
import { createFakeClock } from '../setup/fake-clock.ts';
import { fileTest } from '../setup/fixtures.ts';
import { setupGraphqlApp } from '../setup/graphql.ts';
import { noon } from '../setup/seed.ts';
import { seedOneOfEachType } from '../setup/seed-one-of-each-type.ts';
import type { ServiceOnDatabase } from '../setup/service.ts';

const databaseConstraintsTest = fileTest
  .extend('emptyApp', { scope: 'file' }, ({ onFileCleanup }) =>
    setupGraphqlApp(onFileCleanup, { clock: createFakeClock(noon) }),
  )
  .extend('ids', { scope: 'file' }, async ({ emptyApp }) => {
    const ids: Partial<Record<IdType, string>> = await seedOneOfEachType(emptyApp);
    const { prisma } = emptyApp.context.service;
    await prisma.invoice.update({ where: { id: ids.invoice! }, data: { status: 'open' } });
    return ids;
  })
  .extend('app', { scope: 'file' }, ({ emptyApp, ids: _ids }) => emptyApp);

describe('Database constraints', () => {
  const test = databaseConstraintsTest;

  const ownKeys = { session_id: null, payment_reference: 'ZEBU23456Y' };

  test.for<[what: string, table: string, noun: IdType, changes: object, constraint: string]>([
    [
      'a charge of a session',
      'charge',
      'charge',
      { payment_reference: 'ZEBU23456Y' },
      'charge_session_id_key',
    ],
    [
      'a transfer by its bank reference',
      'transfer',
      'transfer',
      {},
      'transfer_receiving_account_id_source_bank_reference_key',
    ],
    ['a payout reference', 'refund', 'refund', {}, 'refund_merchant_id_mode_payout_reference_key'],
    ['a payout of a refund', 'refund_payout', 'payout', {}, 'refund_payout_not_returned_key'],
    ['a number of invoices', 'invoice', 'invoice', { status: 'paid' }, 'invoice_merchant_id_mode_number_key'],
    ['an open invoice of a subscription', 'invoice', 'invoice', { number: 2 }, 'invoice_open_key'],
    [
      'a notification of an event to a webhook',
      'notification',
      'notification',
      {},
      'notification_event_target_key',
    ],
    ['a sequence number of the event log', 'event', 'event', {}, 'event_merchant_id_mode_sequence_key'],
    ['a customer by email', 'customer', 'customer', {}, 'customer_merchant_id_mode_email_key'],
    ['a key', 'api_key', 'apiKey', {}, 'api_key_key_key'],
  ] as const)('allow only one row for %s', async ([_, table, noun, changes, constraint], { app, ids }) => {
    const second = { ...changes, of: ids[noun]!, id: newId(noun, noon) };
    await expect(copyRows(app.context.service, table, [second])).rejects.toMatchObject({
      code: '23505',
      constraint,
    });
  });

  test('store a copy without common keys', async ({ app, ids }) => {
    const { service } = app.context;
    await copyRows(service, 'charge', [{ ...ownKeys, of: ids.charge!, id: newId('charge', noon) }]);
    await copyRows(service, 'invoice', [
      { number: 2, status: 'paid', of: ids.invoice!, id: newId('invoice', noon) },
    ]);
  });

  test.for(['allocation', 'audit_entry'])('reject changes and deletions in %s', async (table, { app }) => {
    const { pool } = app.context.service;
    for (const statement of [
      `UPDATE ${table} SET created_at = now()`,
      `DELETE FROM ${table}`,
      `TRUNCATE ${table} CASCADE`,
      // With CASCADE, this statement would also truncate the table.
      'TRUNCATE merchant CASCADE',
    ])
      await expect(pool.query(statement), statement).rejects.toThrow(/append-only/);
  });

  test('reject the deletion of an allocated transfer', async ({ app }) => {
    const deleted = app.context.service.pool.query('DELETE FROM transfer');
    await expect(deleted).rejects.toThrow(/"allocation_transfer_id_fkey"/);
  });
});

/** A service on a database in which every table has rows. */
const retentionTest = fileTest.extend('service', { scope: 'file' }, async ({ onFileCleanup }) => {
  const clock = createFakeClock(new Date());
  const app = await setupGraphqlApp(onFileCleanup, { clock });
  await exerciseEveryFeature(app, clock);
  const service: ServiceOnDatabase = { ...app.context.service, connectionString: app.connectionString };
  // Pending messages and notifications are not deleted, nor are the events of the latter.
  await service.pool.query(
    `UPDATE message SET status = 'captured', finished_at = created_at, next_attempt_at = NULL`,
  );
  await service.pool.query(`
      WITH waiting AS (SELECT id FROM notification WHERE status = 'pending')
      DELETE FROM notification_attempt WHERE notification_id IN (SELECT id FROM waiting)`);
  await service.pool.query(`DELETE FROM notification WHERE status = 'pending'`);
  // This file was not imported.
  await service.pool.query(`
      WITH waiting AS (
        INSERT INTO upload (id, merchant_id, mode, file_name, created_by, created_at, expires_at)
        SELECT 'upl_waiting', merchant_id, mode, 'march.xml', 'test', created_at, created_at + interval '1 day'
        FROM upload LIMIT 1 RETURNING id)
      INSERT INTO upload_chunk (upload_id, position, bytes) SELECT id, 0, 'x' FROM waiting`);
  return service;
});

describe('Retention', () => {
  const test = retentionTest;

  type RetentionRule = {
    table: string;
    /** The retention period on the page. */
    documented: string;
    /** The job that deletes the rows, after those that must run before. */
    jobs: string[];
    /** SQL of the time at which a row expires. */
    until: string;
    /** SQL that selects the rows. */
    where?: string;
  };

  const rules: RetentionRule[] = [
    {
      table: 'message',
      documented: '90 days',
      jobs: ['prune-messages'],
      until: "created_at + interval '90 days'",
      where: "status <> 'pending'",
    },
    {
      table: 'feed_delivery',
      documented: '90 days',
      jobs: ['prune-feed-deliveries'],
      until: "created_at + interval '90 days'",
      where: 'file_modified_at IS NULL',
    },
    {
      table: 'phone_verification',
      documented: 'a day',
      jobs: ['prune-phone-verifications'],
      until: "created_at + interval '1 day'",
    },
    {
      table: 'notification_attempt',
      documented: '90 days',
      jobs: ['prune-notifications'],
      until: `(SELECT finished_at + interval '90 days' FROM notification WHERE id = notification_id)`,
      where: `(SELECT status <> 'pending' FROM notification WHERE id = notification_id)`,
    },
    {
      table: 'event',
      documented: '400 days',
      jobs: ['prune-notifications', 'prune-events'],
      until: "created_at + interval '400 days'",
      where: 'sequence IS NOT NULL',
    },
    {
      table: 'idempotency_key',
      documented: '24 hours; 30 days for refunds',
      jobs: ['prune-idempotency-keys'],
      until:
        "created_at + CASE WHEN expires_at - created_at > interval '1 day' THEN interval '30 days' ELSE interval '1 day' END",
    },
    {
      table: 'export_chunk',
      documented: 'a day',
      jobs: ['prune-exports'],
      until: "(SELECT coalesce(finished_at, created_at) + interval '1 day' FROM export WHERE id = export_id)",
    },
    {
      table: 'upload_chunk',
      documented: 'a day if the file is not imported',
      jobs: ['prune-uploads'],
      until: "(SELECT created_at + interval '1 day' FROM upload WHERE id = upload_id)",
      where: '(SELECT expires_at IS NOT NULL FROM upload WHERE id = upload_id)',
    },
    {
      table: 'user_session',
      documented: '14 days',
      jobs: ['prune-sign-ins'],
      until: "created_at + interval '14 days'",
    },
    {
      table: 'password_reset',
      documented: 'an hour',
      jobs: ['prune-sign-ins'],
      until: "created_at + interval '1 hour'",
    },
    {
      table: 'email_change',
      documented: 'an hour, or until confirmed',
      jobs: ['prune-sign-ins'],
      until: "created_at + interval '1 hour'",
    },
    {
      table: 'user_invitation',
      documented: '97 days after it was last sent',
      jobs: ['prune-sign-ins'],
      until: "sent_at + interval '97 days'",
    },
    {
      table: 'checkout_slot',
      documented: 'a day or until the payment window ends, whichever is later',
      jobs: ['expire-charges'],
      until: "greatest(expires_at, created_at + interval '1 day')",
    },
    {
      table: 'authentication_attempt',
      documented: 'a day',
      jobs: ['prune-sign-ins'],
      until: "created_at + interval '1 day'",
    },
  ];

  type Times = { count: number; first: Date; last: Date };

  async function readTimes(tx: Tx, { table, until, where = 'true' }: RetentionRule): Promise<Times> {
    const [times] = await tx.$queryRawUnsafe<Times[]>(
      `SELECT count(*)::int AS count, min(${until}) AS first, max(${until}) AS last FROM "${table}" WHERE ${where}`,
    );
    return times as Times;
  }

  /** Thrown to roll back deletions of a test. */
  class RolledBack extends Error {}

  test.for(rules)('of $table is $documented', async (promise, { service }) => {
    const transaction = transact(service, async (uow) => {
      const { tx } = uow;
      const prune = async (time: Date, minutes: number) => {
        const clock = { now: () => new Date(time.getTime() + minutes * 60_000) };
        for (const job of promise.jobs) {
          const { work } = serviceJobs.find(({ name }) => name === job)!;
          const context: Partial<JobContext> = { service: uow, clock };
          await work(context as JobContext, AbortSignal.timeout(30_000));
        }
      };
      const { count, first, last } = await readTimes(tx, promise);
      expect(count).toBeGreaterThan(0);
      await prune(first, -1);
      expect((await readTimes(tx, promise)).count).toBe(count);
      await prune(last, 1);
      expect((await readTimes(tx, promise)).count).toBe(0);
      throw new RolledBack();
    });
    await expect(transaction).rejects.toThrow(RolledBack);
  });

  describe('on the page about personal data', () => {
    const page = readFileSync(new URL('../../docs/guides/personal-data.md', import.meta.url), 'utf8');
    const rows = page
      .split('\n')
      .filter((line) => line.startsWith('| ') && line.includes('`'))
      .map((line) => line.split('|').map((cell) => cell.trim()))
      .map(([, , where = '', howLong = '']) => ({ where, howLong }));

    test('is documented for each table, without other times', () => {
      const unsaid = rules.filter(
        ({ table, documented }) =>
          !rows.some(({ where, howLong }) => where.includes(`\`${table}\``) && howLong.includes(documented)),
      );
      expect(unsaid.map(({ table, documented }) => `${table}: ${documented}`)).toEqual([]);
      const times = /\b(?:an? (?:day|hour|week|month|year)|\d+ (?:minutes|hours|days|weeks|months|years))\b/g;
      for (const { where, howLong } of rows) {
        const held = rules
          .filter(({ table }) => where.includes(`\`${table}\``))
          .map(({ documented }) => documented);
        const unheld = (howLong.match(times) ?? []).filter(
          (time) => !held.some((documented) => documented.includes(time)),
        );
        expect([where, ...unheld]).toEqual([where]);
      }
    });

    test('is documented for every table with an email or a network address', async ({ service }) => {
      const { rows: tables } = await service.pool.query<{ table: string }>(
        `SELECT DISTINCT table_name AS table FROM information_schema.columns
       WHERE table_schema = current_schema() AND column_name IN ('email', 'ip_address', 'network')`,
      );
      const named = rows.map(({ where }) => where).join();
      expect(tables.map(({ table }) => table).filter((table) => !named.includes(`\`${table}\``))).toEqual([]);
    });

    /** Tables whose expired rows are kept, each with the reason. */
    const exceptions: Record<string, string> = {
      api_key: 'names who did what, in the audit trail',
      charge: 'the merchant’s books',
      checkout_link: 'the merchant’s books',
      checkout_session: 'the merchant’s books',
      export: 'goes with its chunks, which are tried',
      upload: 'goes with its chunks, which are tried',
    };

    test('is tested for every table with an expiry, except for a reason', async ({ service }) => {
      const { rows: tables } = await service.pool.query<{ table: string }>(
        `SELECT DISTINCT table_name AS table FROM information_schema.columns
       WHERE table_schema = current_schema() AND column_name = 'expires_at'`,
      );
      const documentedTables = new Set([...rules.map(({ table }) => table), ...Object.keys(exceptions)]);
      expect(tables.map(({ table }) => table).filter((table) => !documentedTables.has(table))).toEqual([]);
    });
  });
});
