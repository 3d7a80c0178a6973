import { randomBytes } from 'node:crypto';
import { inject, onTestFinished } from 'vitest';
import { withClient } from '../../src/kit/with-client.ts';
import { databaseUrl } from './template.ts';

/** An empty database, dropped after the test. */
export async function emptyDatabase(): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const admin = (sql: string) => withClient(inject('postgresUrl'), (client) => client.query(sql));
  await admin(`CREATE DATABASE ${name}`);
  onTestFinished(async () => void (await admin(`DROP DATABASE ${name} WITH (FORCE)`)));
  return databaseUrl(inject('postgresUrl'), name);
}
