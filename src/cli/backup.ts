import { resolve } from 'node:path';
import { restoreBackup } from '../domain/operations/backup/restore-backup.ts';
import { writeBackup } from '../domain/operations/backup/write-backup.ts';
import { getAppSecretPath, readAppSecret } from '../kit/app-secret.ts';
import { commandApplicationName } from '../kit/application-names.ts';
import { systemClock } from '../kit/clock.ts';
import type { Config } from '../kit/config.ts';
import { formatHosts } from '../kit/database-hosts.ts';
import { closeDb, openDb } from '../kit/db.ts';
import { openReadReplicas } from '../kit/read-replicas.ts';
import { getFingerprint } from '../kit/secrets.ts';
import { withClient } from '../kit/with-client.ts';
import type { CommandCall, DatabaseCommand } from './command.ts';
import { requireFile } from './files.ts';

export const backupCommand: DatabaseCommand = {
  isExclusive: false,
  async runOn({ connectionString }, { positionals: [file = ''], config, onProgress }) {
    const write = (source: string) =>
      withClient(source, (client) => writeBackup(client, { file, now: new Date(), onProgress }));
    const standbyUrl = await findCurrentStandby(config, connectionString);
    const standby = standbyUrl ? await writeFromStandby(standbyUrl, { write, onProgress }) : undefined;
    const rows = standby?.rows ?? (await write(connectionString));
    const source = standby?.source ?? 'the primary';
    const requiredSecret =
      config.appSecret === undefined ? resolve(getAppSecretPath(config.dataDir)) : 'APP_SECRET';
    return {
      json: { file: resolve(file), rows, source, needs: requiredSecret },
      text: `${sum(rows)} rows of ${source} in ${resolve(file)}\nThe backup can only be restored with its app secret: store ${requiredSecret} separately.`,
    };
  },
};

/** Returns undefined if the standby fails, for example because it cancels a long transaction to follow the primary. */
async function writeFromStandby(
  url: string,
  {
    write,
    onProgress,
  }: { write: (url: string) => Promise<Record<string, number>>; onProgress: CommandCall['onProgress'] },
) {
  const source = `the standby ${formatHosts(url)}`;
  onProgress(`Reading from ${source}`);
  try {
    return { source, rows: await write(url) };
  } catch (error) {
    onProgress(`Reading from the primary, because ${source} failed: ${(error as Error).message}`);
    return undefined;
  }
}

/** Returns the URL of a standby that has all changes until now; undefined if there is none. */
async function findCurrentStandby(config: Config, connectionString: string): Promise<string | undefined> {
  const onError = (error: Error) => console.error(error.message);
  const primary = openDb({ connectionString, poolSize: 1, name: commandApplicationName, onError });
  const replicas = openReadReplicas(config, { primary, clock: systemClock, onError });
  try {
    return await replicas?.findCurrentUrl();
  } finally {
    await replicas?.stop();
    await closeDb(primary);
  }
}

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
