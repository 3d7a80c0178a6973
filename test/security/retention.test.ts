import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Service } from '../../src/domain/platform/service.ts';
import { transact } from '../../src/event/unit-of-work.ts';
import { type JobContext, serviceJobs } from '../../src/jobs/definitions.ts';
import type { Tx } from '../../src/kit/db.ts';
import { migrate } from '../../src/kit/migrate.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { setupService } from '../setup/service.ts';

const onCleanup = cleanupAfterFile();

/**
 * What docs/guides/personal-data.md says of how long something is kept, held against the jobs that delete it, on a database in
 * which every table has rows: none goes a minute before its time, and all are gone a minute after.
 */

type Kept = {
  table: string;
  /** What the page says beside the table's name. */
  said: string;
  /** What deletes it, and what must have been deleted before. */
  jobs: string[];
  /** SQL of the time from which a row is kept no more. */
  until: string;
  /** SQL of the rows that it is said of. */
  where?: string;
};

const kept: Kept[] = [
  {
    table: 'message',
    said: '90 days',
    jobs: ['prune-messages'],
    until: "created_at + interval '90 days'",
    where: "status <> 'pending'",
  },
  {
    table: 'phone_verification',
    said: 'a day',
    jobs: ['prune-phone-verifications'],
    until: "created_at + interval '1 day'",
  },
  {
    table: 'notification_attempt',
    said: '90 days',
    jobs: ['prune-notifications'],
    until: `(SELECT finished_at + interval '90 days' FROM notification WHERE id = notification_id)`,
    where: `(SELECT status <> 'pending' FROM notification WHERE id = notification_id)`,
  },
  {
    table: 'event',
    said: '400 days',
    jobs: ['prune-notifications', 'prune-events'],
    until: "created_at + interval '400 days'",
    where: 'sequence IS NOT NULL',
  },
  {
    table: 'idempotency_key',
    said: '24 hours; of refunds 30 days',
    jobs: ['prune-idempotency-keys'],
    until:
      "created_at + CASE WHEN expires_at - created_at > interval '1 day' THEN interval '30 days' ELSE interval '1 day' END",
  },
  {
    table: 'export_chunk',
    said: 'a day',
    jobs: ['prune-exports'],
    until: "(SELECT coalesce(finished_at, created_at) + interval '1 day' FROM export WHERE id = export_id)",
  },
  {
    table: 'upload_chunk',
    said: 'a day until it is imported',
    jobs: ['prune-uploads'],
    until: "(SELECT created_at + interval '1 day' FROM upload WHERE id = upload_id)",
    where: '(SELECT expires_at IS NOT NULL FROM upload WHERE id = upload_id)',
  },
  {
    table: 'user_session',
    said: '14 days',
    jobs: ['prune-sign-ins'],
    until: "created_at + interval '14 days'",
  },
  {
    table: 'password_reset',
    said: 'an hour',
    jobs: ['prune-sign-ins'],
    until: "created_at + interval '1 hour'",
  },
  {
    table: 'user_invitation',
    said: '97 days after it was last sent',
    jobs: ['prune-sign-ins'],
    until: "sent_at + interval '97 days'",
  },
  {
    table: 'checkout_slot',
    said: 'a day, and while the payment window is open',
    jobs: ['expire-charges'],
    until: "greatest(expires_at, created_at + interval '1 day')",
  },
  {
    table: 'authentication_attempt',
    said: 'a day',
    jobs: ['prune-sign-ins'],
    until: "created_at + interval '1 day'",
  },
];

let service: Service & { connectionString: string };

/** The rows of the last release: every table has some. */
beforeAll(async () => {
  service = await setupService(onCleanup);
  const file = new URL('../fixtures/released/0.1.0.sql.gz', import.meta.url);
  await service.pool.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  await service.pool.query(gunzipSync(readFileSync(file)).toString());
  await migrate(service.connectionString);
  // What is on its way is kept, and an event with its notifications.
  await service.pool.query(
    `UPDATE message SET status = 'captured', finished_at = created_at, next_attempt_at = NULL`,
  );
  await service.pool.query(`
    WITH waiting AS (SELECT id FROM notification WHERE status = 'pending')
    DELETE FROM notification_attempt WHERE notification_id IN (SELECT id FROM waiting)`);
  await service.pool.query(`DELETE FROM notification WHERE status = 'pending'`);
  // Customers' networks, of a table that the release did not have.
  await service.pool.query(`
    INSERT INTO checkout_slot (object_id, network_hash, merchant_id, mode, expires_at, created_at)
    SELECT id, 'hash', merchant_id, mode, expires_at, created_at FROM charge LIMIT 3`);
  // A file that nobody has imported.
  await service.pool.query(`
    WITH waiting AS (
      INSERT INTO upload (id, merchant_id, mode, file_name, created_by, created_at, expires_at)
      SELECT 'upl_waiting', merchant_id, mode, 'march.xml', 'test', created_at, created_at + interval '1 day'
      FROM upload LIMIT 1 RETURNING id)
    INSERT INTO upload_chunk (upload_id, position, bytes) SELECT id, 0, 'x' FROM waiting`);
});

type Times = { count: number; first: Date; last: Date };

async function timesOf(tx: Tx, { table, until, where = 'true' }: Kept): Promise<Times> {
  const [times] = await tx.$queryRawUnsafe<Times[]>(
    `SELECT count(*)::int AS count, min(${until}) AS first, max(${until}) AS last FROM "${table}" WHERE ${where}`,
  );
  return times as Times;
}

/** Thrown to take back what a test has deleted. */
class TakenBack extends Error {}

test.each(kept)('$table: $said', async (promise) => {
  const looked = transact(service, async (uow) => {
    const { tx } = uow;
    const prune = async (time: Date, minutes: number) => {
      const clock = { now: () => new Date(time.getTime() + minutes * 60_000) };
      for (const job of promise.jobs) {
        const { work } = serviceJobs.find(({ name }) => name === job)!;
        const context: Partial<JobContext> = { service: uow, clock };
        await work(context as JobContext, AbortSignal.timeout(30_000));
      }
    };
    const { count, first, last } = await timesOf(tx, promise);
    expect(count).toBeGreaterThan(0);
    await prune(first, -1);
    expect((await timesOf(tx, promise)).count).toBe(count);
    await prune(last, 1);
    expect((await timesOf(tx, promise)).count).toBe(0);
    throw new TakenBack();
  });
  await expect(looked).rejects.toThrow(TakenBack);
});

describe('the page', () => {
  const page = readFileSync(new URL('../../docs/guides/personal-data.md', import.meta.url), 'utf8');
  const rows = page
    .split('\n')
    .filter((line) => line.startsWith('| ') && line.includes('`'))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, , where = '', howLong = '']) => ({ where, howLong }));

  test('says so of each, and gives no other time', () => {
    const unsaid = kept.filter(
      ({ table, said }) =>
        !rows.some(({ where, howLong }) => where.includes(`\`${table}\``) && howLong.includes(said)),
    );
    expect(unsaid.map(({ table, said }) => `${table}: ${said}`)).toEqual([]);
    const times = /\b(?:an? (?:day|hour|week|month|year)|\d+ (?:minutes|hours|days|weeks|months|years))\b/g;
    for (const { where, howLong } of rows) {
      const held = kept.filter(({ table }) => where.includes(`\`${table}\``)).map(({ said }) => said);
      const unheld = (howLong.match(times) ?? []).filter((time) => !held.some((said) => said.includes(time)));
      expect([where, ...unheld]).toEqual([where]);
    }
  });

  test('names every table that holds an e-mail or a network address', async () => {
    const { rows: found } = await service.pool.query<{ table: string }>(
      `SELECT DISTINCT table_name AS table FROM information_schema.columns
       WHERE table_schema = current_schema() AND column_name IN ('email', 'ip_address', 'network')`,
    );
    const named = rows.map(({ where }) => where).join();
    expect(found.map(({ table }) => table).filter((table) => !named.includes(`\`${table}\``))).toEqual([]);
  });

  /** What has an end of its own and is kept all the same, as the page says. */
  const stays: Record<string, string> = {
    api_key: 'names who did what, in the audit trail',
    charge: 'the merchant’s books',
    checkout_session: 'the merchant’s books',
    export: 'goes with its chunks, which are tried',
    upload: 'goes with its chunks, which are tried',
  };

  test('every table whose rows run out is one of these, or stays for a reason', async () => {
    const { rows: found } = await service.pool.query<{ table: string }>(
      `SELECT DISTINCT table_name AS table FROM information_schema.columns
       WHERE table_schema = current_schema() AND column_name = 'expires_at'`,
    );
    const known = new Set([...kept.map(({ table }) => table), ...Object.keys(stays)]);
    expect(found.map(({ table }) => table).filter((table) => !known.has(table))).toEqual([]);
  });
});
