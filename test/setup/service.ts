import type { Service } from '../../src/domain/service.ts';
import { makeSecrets } from '../../src/kit/secrets.ts';
import { testDatabase } from './database.ts';

export const testAppSecret = 'the secret of the tests, 32 characters and more';
export const testSecrets = makeSecrets(testAppSecret);
export const testSettings = { publicUrl: 'http://127.0.0.1:4000', allowPrivateTargets: true, forexUrls: [] };

/** The service as operations see it, on a database of the test file's own. */
export async function testService(): Promise<Service & { connectionString: string }> {
  const { db, connectionString } = await testDatabase();
  return { ...db, secrets: testSecrets, settings: { ...testSettings }, connectionString };
}
