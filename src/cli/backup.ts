import { resolve } from 'node:path';
import { restoreBackup } from '../domain/operations/backup/restore-backup.ts';
import { writeBackup } from '../domain/operations/backup/write-backup.ts';
import { getAppSecretPath, readAppSecret } from '../kit/app-secret.ts';
import type { Config } from '../kit/config.ts';
import { getFingerprint } from '../kit/secrets.ts';
import { withClient } from '../kit/with-client.ts';
import type { DatabaseCommand } from './command.ts';
import { requireFile } from './files.ts';

export const backupCommand: DatabaseCommand = {
  isExclusive: false,
  async runOn({ connectionString }, { positionals: [file = ''], config, onProgress }) {
    const rows = await withClient(connectionString, (client) =>
      writeBackup(client, { file, now: new Date(), onProgress }),
    );
    const requiredSecret =
      config.appSecret === undefined ? resolve(getAppSecretPath(config.dataDir)) : 'APP_SECRET';
    return {
      json: { file: resolve(file), rows, needs: requiredSecret },
      text: `${sum(rows)} rows in ${resolve(file)}\nThe backup can only be restored with its app secret: store ${requiredSecret} separately.`,
    };
  },
};

export const restoreCommand: DatabaseCommand = {
  isExclusive: true,
  async runOn({ connectionString }, { positionals: [file = ''], config, onProgress }) {
    await requireFile(file);
    const rows = await restoreBackup(connectionString, {
      file,
      requireSecret: (requiredFingerprint) => requireSecret(config, requiredFingerprint),
      onProgress,
    });
    return {
      json: { file: resolve(file), rows },
      text: `${sum(rows)} rows restored. Undelivered notifications will be sent at the next start.`,
    };
  },
};

async function requireSecret(config: Config, requiredFingerprint: string): Promise<void> {
  const secrets =
    config.appSecret === undefined
      ? [await readAppSecret(config.dataDir)]
      : [config.appSecret, config.appSecretPrevious];
  if (secrets.some((secret) => secret !== undefined && getFingerprint(secret) === requiredFingerprint))
    return;
  throw new Error(
    config.appSecret === undefined
      ? `The backup requires the app secret that was in use when it was created: put that file at ${resolve(getAppSecretPath(config.dataDir))}, or set APP_SECRET`
      : 'APP_SECRET does not match the backup: set the secret that was in use when the backup was created',
  );
}

function sum(rows: Record<string, number>): number {
  return Object.values(rows).reduce((total, count) => total + count, 0);
}
