import { readDataKeys } from '../../src/domain/platform/secrets/data-keys.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { startAnnouncer } from '../../src/event/announcer.ts';
import { closeDb, openDb } from '../../src/kit/db.ts';
import { type DataKey, fingerprint, openKeyring, wrapDataKey } from '../../src/kit/secrets.ts';
import { withClient } from '../../src/kit/with-client.ts';
import { atEnd } from './at-end.ts';
import { testDatabase } from './database.ts';

export const testAppSecret = 'the secret of the tests, 32 characters and more';
export const testDataKey: DataKey = {
  id: 'testdatakey0',
  bytes: Buffer.alloc(32, 'the data key of the tests'),
};
export const testSecrets = await openKeyring(async () => ({ current: testDataKey, others: [] }));
const testSettings = {
  publicUrl: 'http://127.0.0.1:4000',
  allowPrivateWebhookUrls: true,
  exchangeRateFeeds: [],
  checkoutChargesMax: 500,
};

export type ServiceOnDatabase = Service & { connectionString: string };

/** The service as operations see it, on a database of the test file's own. */
export async function testService(): Promise<ServiceOnDatabase> {
  const { db, connectionString } = await testDatabase();
  await db.pool.query(
    'INSERT INTO data_key (id, wrapped_key, wrapped_by, created_at, activated_at) VALUES ($1, $2, $3, now(), now())',
    [testDataKey.id, wrapDataKey(testAppSecret, testDataKey), fingerprint(testAppSecret)],
  );
  return { ...db, secrets: testSecrets, settings: { ...testSettings }, connectionString };
}

/** The same on a database that is there already, for a process of its own; whoever opens it closes it. */
export function openService(
  connectionString: string,
  { poolSize = 4, onError = console.error as (error: Error) => void } = {},
): ServiceOnDatabase {
  const db = openDb({ connectionString, poolSize, onError });
  return { ...db, secrets: testSecrets, settings: { ...testSettings }, connectionString };
}

/** The same with the data keys of a database that a service has created. */
export async function openServiceOf(
  connectionString: string,
  options: { onError?: (error: Error) => void } = {},
): Promise<ServiceOnDatabase> {
  const secrets = await openKeyring(() =>
    withClient(connectionString, (client) =>
      readDataKeys(client, { appSecret: testAppSecret, appSecretPrevious: undefined, dataDir: '' }),
    ),
  );
  return { ...openService(connectionString, options), secrets };
}

/** The service as another process has it, with connections of its own. */
export function otherProcess<S extends ServiceOnDatabase>(service: S): S {
  const { connectionString } = service;
  const db = openDb({ connectionString, poolSize: 4, onError: console.error });
  atEnd(() => closeDb(db));
  return { ...service, ...db };
}

/** The service as a process has it that tells the others of what changes. */
export function announcing<S extends ServiceOnDatabase>(
  service: S,
  onError: (error: Error) => void = console.error,
): S {
  const announcer = startAnnouncer(service.connectionString, onError);
  atEnd(announcer.stop);
  return { ...service, announce: announcer.announce };
}
