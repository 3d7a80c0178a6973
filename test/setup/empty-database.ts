import { randomBytes } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { askDatabase } from './ask-database.ts';
import { databaseUrl } from './template.ts';
import { testPostgres } from './test-postgres.ts';

/** An empty database, dropped after the test. */
export async function emptyDatabase(): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const server = (await testPostgres()).url;
  await askDatabase(server, `CREATE DATABASE ${name}`);
  onTestFinished(async () => void (await askDatabase(server, `DROP DATABASE ${name} WITH (FORCE)`)));
  return databaseUrl(server, name);
}
