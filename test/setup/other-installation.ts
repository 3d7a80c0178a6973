import { readDataKeys } from '../../src/domain/platform/secrets/data-keys.ts';
import { openKeyring } from '../../src/kit/secrets.ts';
import { withClient } from '../../src/kit/with-client.ts';
import { setupApp, type TestApp } from './app.ts';
import type { OnCleanup } from './cleanup.ts';
import { setupDatabase } from './database.ts';
import type { PlainClock } from './fake-clock.ts';
import type { ServiceOnDatabase } from './service.ts';

/** The application on another database, with another APP_SECRET and data key. */
type OtherInstallation = TestApp & {
  service: ServiceOnDatabase;
  env: Record<string, string>;
  reloadSecrets: () => Promise<void>;
};

export const otherPublicUrl = 'http://127.0.0.1:4001';

export async function setupOtherInstallation(
  onCleanup: OnCleanup,
  options: { clock?: PlainClock } = {},
): Promise<OtherInstallation> {
  const { db, connectionString } = await setupDatabase(onCleanup);
  const appSecret = 'the secret of the other installation, 32 characters and more';
  const secrets = await openKeyring(() =>
    withClient(connectionString, (client) =>
      readDataKeys(client, { appSecret, appSecretPrevious: undefined, dataDir: '' }),
    ),
  );
  const settings = { allowPrivateTargets: true, exchangeRateFeeds: [], checkoutChargesMax: 500 };
  const service = { ...db, secrets, settings: { ...settings, publicUrl: otherPublicUrl }, connectionString };
  const app = await setupApp(onCleanup, { ...options, service });
  const env = { DATABASE_URL: connectionString, APP_SECRET: appSecret, PUBLIC_URL: otherPublicUrl };
  return { ...app, service, env, reloadSecrets: secrets.reload };
}
