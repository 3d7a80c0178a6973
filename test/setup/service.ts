import { readDataKeys } from '../../src/domain/platform/secrets/data-keys.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { startAnnouncer } from '../../src/event/announcer.ts';
import { closeDb, openDb } from '../../src/kit/db.ts';
import { type DataKey, getFingerprint, openKeyring, wrapDataKey } from '../../src/kit/secrets.ts';
import { withClient } from '../../src/kit/with-client.ts';
import type { OnCleanup } from './cleanup.ts';
import { setupDatabase } from './database.ts';
import { toPooled } from './pooler.ts';

export const testAppSecret = 'the secret of the tests, 32 characters and more';
export const testDataKey: DataKey = {
  id: 'testdatakey0',
  bytes: Buffer.alloc(32, 'the data key of the tests'),
};
export const testSecrets = await openKeyring(async () => ({ current: testDataKey, others: [] }));
const testSettings = {
  publicUrl: 'http://127.0.0.1:4000',
  allowPrivateTargets: true,
  exchangeRateFeeds: [],
  checkoutChargesMax: 500,
};

export type ServiceOnDatabase = Service & { connectionString: string };

export async function setupService(onCleanup: OnCleanup): Promise<ServiceOnDatabase> {
  const { db, connectionString } = await setupDatabase(onCleanup);
  await db.pool.query(
    'INSERT INTO data_key (id, wrapped_key, wrapped_by, created_at, activated_at) VALUES ($1, $2, $3, now(), now())',
    [testDataKey.id, wrapDataKey(testAppSecret, testDataKey), getFingerprint(testAppSecret)],
  );
  return { ...db, secrets: testSecrets, settings: { ...testSettings }, connectionString };
}

/** The caller closes the service. */
export function openService(
  connectionString: string,
  { poolSize = 4, onError = console.error as (error: Error) => void } = {},
): ServiceOnDatabase {
  const db = openDb({ connectionString: toPooled(connectionString), poolSize, onError });
  return { ...db, secrets: testSecrets, settings: { ...testSettings }, connectionString };
}

/** Opens a service with the data keys of a database that a service has created. */
export async function openServiceWithDataKeys(
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

/** Opens the service with its own connections, as another process has them. */
export function connectOtherProcess<S extends ServiceOnDatabase>(onCleanup: OnCleanup, service: S): S {
  const connectionString = toPooled(service.connectionString);
  const db = openDb({ connectionString, poolSize: 4, onError: console.error });
  onCleanup(() => closeDb(db));
  return { ...service, ...db };
}

/** Returns the service of a process that announces its changes to other processes. */
export function withAnnouncer<S extends ServiceOnDatabase>(
  onCleanup: OnCleanup,
  service: S,
  onError: (error: Error) => void = console.error,
): S {
  const announcer = startAnnouncer(toPooled(service.connectionString), onError);
  onCleanup(announcer.stop);
  return { ...service, announce: announcer.announce };
}

/**
 * Sets SMTP_URL and SMS_URL, so that pages offer emails and SMS. The messages stay in the database, because no job
 * sends them.
 */
export function withMessageServers<S extends Service>(service: S): S {
  Object.assign(service.settings, { smtpUrl: 'smtp://127.0.0.1:1', smsUrl: 'http://127.0.0.1:1' });
  return service;
}

/** Sets PUBLIC_URL until cleanup. */
export function setPublicUrl(onCleanup: OnCleanup, { settings }: Service, url: string): void {
  const { publicUrl } = settings;
  onCleanup(() => {
    settings.publicUrl = publicUrl;
  });
  settings.publicUrl = url;
}
