import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import type pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { closeDb } from '../../src/kit/db.ts';
import { minuteMs } from '../../src/kit/duration.ts';
import { migrate, readMigrations } from '../../src/kit/migrate.ts';
import { withClient } from '../../src/kit/with-client.ts';
import { askCli } from '../cli/run-cli.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { createEmptyDatabase } from '../setup/database.ts';
import { createFakeClock } from '../setup/fake-clock.ts';
import { setupGraphqlApp } from '../setup/graphql.ts';
import { seedCharge } from '../setup/seed.ts';
import { seedEveryFeature } from '../setup/seed-every-feature.ts';
import { openService } from '../setup/service.ts';
import { payCharge } from '../setup/transfers.ts';
import { databaseSql } from './database-sql.ts';
import { onDatabase } from './on-database.ts';
import { runServiceForTest } from './run-service.ts';

const onCleanup = cleanupAfterFile();

/**
 * A database of every released version, with a row in every table it had, is brought to the present schema and worked on.
 * `npm run release:fixture` writes that of the version in package.json; a file that is released is never written again.
 */

const folder = new URL('../fixtures/released/', import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith('.sql.gz'));

/** Whose charge the later versions complete. */
const payer = 'then@example.com';

test.runIf(process.env.RELEASE_FIXTURE)('writes a database of this version', async () => {
  const clock = createFakeClock(new Date());
  const app = await setupGraphqlApp(onCleanup, { clock });
  await seedEveryFeature(app, clock);
  await seedCharge(app.context.service, app.merchant, { input: { email: payer }, now: clock.now() });
  const sql = await withClient(app.connectionString, databaseSql);
  await writeFile(new URL(`${packageJson.version}.sql.gz`, folder), gzipSync(sql, { level: 9 }));
});

test('there is one of this version or an earlier one, and none of a later one', () => {
  const isEarlier = (version: string) =>
    version.localeCompare(packageJson.version, 'en', { numeric: true }) <= 0;
  const versions = files.map((name) => name.replace('.sql.gz', ''));
  expect(versions.length).toBeGreaterThan(0);
  expect(versions.filter((version) => !isEarlier(version))).toEqual([]);
});

describe.each(files)('a database of %s', (file) => {
  test('has a row in every table it had', async () => {
    const sql = gunzipSync(readFileSync(new URL(file, folder))).toString();
    const tables = [...sql.matchAll(/CREATE TABLE "(\w+)"/g)].map(([, name]) => name);
    const filled = new Set([...sql.matchAll(/^INSERT INTO "(\w+)"/gm)].map(([, name]) => name));
    expect(tables.length).toBeGreaterThan(40);
    const dropped = new Set([...sql.matchAll(/DROP TABLE "(\w+)"/g)].map(([, name]) => name));
    expect(tables.filter((name) => !filled.has(name) && !dropped.has(name))).toEqual([]);
  });

  test('migrates forward, keeps every promise, serves, and a charge of then completes', async () => {
    const url = await createEmptyDatabase(onTestFinished);
    await withClient(url, (client) =>
      client.query(gunzipSync(readFileSync(new URL(file, folder))).toString()),
    );
    const rowsBefore = await countRows(url);
    const pending = (await readMigrations()).map(({ name }) => name);
    const applied = await migrate(url);
    expect(pending.slice(pending.length - applied.length)).toEqual(applied);
    expect(await countRows(url)).toMatchObject(rowsBefore);

    const env = onDatabase(url);
    const { url: origin } = await runServiceForTest(onTestFinished, { ...env, ROLE: 'api' }).ready();
    expect((await fetch(`${origin}/readyz`)).status).toBe(200);
    await payTheChargeOfThen(url);
    expect(await askCli(env, 'check')).toEqual({ ok: true, violations: [] });
  });
});

async function countRows(url: string): Promise<Record<string, number>> {
  return withClient(url, async (client: pg.Client) => {
    const counts: Record<string, number> = {};
    for (const table of [
      'charge',
      'refund',
      'event',
      'transfer',
      'allocation',
      'audit_entry',
      'subscription',
    ]) {
      const { rows } = await client.query(`SELECT count(*)::int AS count FROM ${table}`);
      counts[table] = rows[0].count;
    }
    return counts;
  });
}

async function payTheChargeOfThen(connectionString: string): Promise<void> {
  const service = openService(connectionString);
  try {
    const charge = await service.prisma.charge.findFirstOrThrow({
      where: { email: payer },
      include: { merchant: true },
    });
    const times = { paidAt: charge.createdAt, now: new Date(charge.createdAt.getTime() + minuteMs) };
    const paid = await payCharge(service, charge, charge, times);
    expect(paid).toMatchObject({ status: 'matched', chargeId: charge.id });
    expect(await service.prisma.charge.findUnique({ where: { id: charge.id } })).toMatchObject({
      status: 'completed',
    });
  } finally {
    await closeDb(service);
  }
}
