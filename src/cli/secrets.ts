import { rotateAppSecret } from '../domain/platform/secrets/rotate-app-secret.ts';
import { deleteRetiredDataKeys, rotateDataKey } from '../domain/platform/secrets/rotate-data-key.ts';
import { activatePendingAppSecret, writePendingAppSecret } from '../kit/app-secret.ts';
import { type Config, ConfigError } from '../kit/config.ts';
import { migrate } from '../kit/migrate.ts';
import { withClient } from '../kit/with-client.ts';
import type { CommandResult, DatabaseCommand } from './command.ts';

export const rotateSecretsCommand: DatabaseCommand = {
  isExclusive: false,
  async runOn({ connectionString }, { config, options, onProgress }) {
    await migrate(connectionString);
    if (!options['data-key'])
      return config.appSecret === undefined
        ? rotateInDataDir(connectionString, config)
        : rotateInEnvironment(connectionString, config);
    const { reencrypted, isResumed } = await withClient(connectionString, (client) =>
      rotateDataKey(client, { sources: config, onProgress }),
    );
    const valueCount = Object.values(reencrypted).reduce((sum, count) => sum + count, 0);
    const outcome = isResumed ? 'An interrupted rotation is complete' : 'A new data key is in use';
    return {
      json: { reencrypted, isResumed },
      text: `${outcome}: ${valueCount} values re-encrypted.\nLinks, tokens and codes issued earlier remain valid until you run secrets retire.`,
    };
  },
};

export const retireSecretsCommand: DatabaseCommand = {
  isExclusive: false,
  async runOn({ connectionString }, { config, onProgress }) {
    await migrate(connectionString);
    const deletedCount = await withClient(connectionString, (client) =>
      deleteRetiredDataKeys(client, { sources: config, now: new Date(), onProgress }),
    );
    const keys = deletedCount === 1 ? 'data key' : 'data keys';
    const text =
      deletedCount === 0
        ? 'No retired data keys to delete.'
        : `Deleted ${deletedCount} retired ${keys}. Links, tokens and codes signed under ${deletedCount === 1 ? 'it' : 'them'} are no longer valid.`;
    return { json: { deletedDataKeyCount: deletedCount }, text };
  },
};

/** Writes the new secret next to the current one, and activates it after the commit. */
async function rotateInDataDir(connectionString: string, config: Config): Promise<CommandResult> {
  const { dataDir } = config;
  await withClient(connectionString, (client) =>
    rotateAppSecret(client, { sources: config, getNewSecret: () => writePendingAppSecret(dataDir) }),
  );
  const previousSecretFile = await activatePendingAppSecret(dataDir, new Date());
  return {
    json: { previousSecretFile },
    text: `APP_SECRET was replaced. Earlier backups need the old secret, stored in ${previousSecretFile ?? dataDir}: delete it when no backup needs it.`,
  };
}

async function rotateInEnvironment(connectionString: string, config: Config): Promise<CommandResult> {
  const { appSecret, appSecretPrevious } = config;
  const getNewSecret = async (currentSecret: string) => {
    if (appSecret !== undefined && appSecret !== currentSecret) return appSecret;
    throw new ConfigError(
      appSecretPrevious === undefined
        ? 'APP_SECRET is in use. To replace it, start every process with the new secret in APP_SECRET and the current one in APP_SECRET_PREVIOUS, then run this command with both'
        : 'APP_SECRET is already in use: nothing to rotate',
    );
  };
  await withClient(connectionString, (client) => rotateAppSecret(client, { sources: config, getNewSecret }));
  return {
    json: {},
    text: 'APP_SECRET was replaced. APP_SECRET_PREVIOUS is no longer needed, but earlier backups still need the old secret.',
  };
}
