import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import { closeDb, type Db, openDb } from '../../src/kit/db.ts';
import { withClient } from '../../src/kit/with-client.ts';
import { atEnd } from './at-end.ts';
import { databaseUrl, templateName } from './template.ts';
import { testPostgres } from './test-postgres.ts';

/** A database of the test file's own, cloned from the migrated template and dropped at the file's end. */
export async function testDatabase(): Promise<{ db: Db; connectionString: string }> {
  const adminUrl = (await testPostgres()).url;
  const name = `test_${randomBytes(6).toString('hex')}`;
  await admin(adminUrl, (client) => cloneTemplate(client, name));
  const connectionString = databaseUrl(adminUrl, name);
  const db = openDb({
    connectionString,
    poolSize: 10,
    onError: (error) => console.error(error),
    // On a busy machine many at once take their time: that is for the test to bound.
    timeouts: { connectionMs: 60_000, transactionMs: 60_000 },
  });
  atEnd(async () => {
    await closeDb(db);
    await untilUnused(adminUrl, name);
    await admin(adminUrl, (client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`));
  });
  return { db, connectionString };
}

/** Connections that were told to end are given a second: what ends one before that has nobody to hear of it. */
function untilUnused(adminUrl: string, name: string): Promise<void> {
  return withClient(adminUrl, async (client) => {
    for (let tries = 0; tries < 50; tries++) {
      const { rows } = await client.query('SELECT 1 FROM pg_stat_activity WHERE datname = $1 LIMIT 1', [
        name,
      ]);
      if (rows.length === 0) return;
      await delay(20);
    }
  });
}

/** By its files, in a third of the time of writing it to the journal; PostgreSQL 14 does so by itself, and has no word for it. */
async function cloneTemplate(client: Client, name: string): Promise<void> {
  const { rows } = await client.query('SHOW server_version_num');
  const strategy = Number(rows[0]?.server_version_num) >= 150_000 ? 'STRATEGY file_copy' : '';
  await client.query(`CREATE DATABASE ${name} TEMPLATE ${templateName} ${strategy}`);
}

function admin(adminUrl: string, work: (client: Client) => Promise<unknown>): Promise<unknown> {
  return withClient(adminUrl, async (client) => {
    // Two files that clone at once wait for each other: a template may have no other user meanwhile.
    await client.query('SELECT pg_advisory_lock(77)');
    return work(client);
  });
}
