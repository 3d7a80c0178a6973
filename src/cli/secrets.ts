import { openAppSecret } from '../domain/secrets/open-app-secret.ts';
import { rotateSecrets } from '../domain/secrets/rotate-secrets.ts';
import { adoptAppSecret, proposeAppSecret } from '../kit/app-secret.ts';
import { type Config, ConfigError } from '../kit/config.ts';
import { migrate } from '../kit/migrate.ts';
import { makeSecrets } from '../kit/secrets.ts';
import { withClient } from '../kit/with-client.ts';
import type { CommandAnswer, DatabaseCommand } from './command.ts';

const secretLengthMin = 32;

/** Told each time: what a new secret puts an end to, beside what it protects. */
const consequences =
  'Signed links, cancel tokens and client tokens given out so far no longer count. Backups made before need the old secret.';

export const rotateSecretsCommand: DatabaseCommand = {
  alone: true,
  async runOn({ connectionString }, { config, env }) {
    await migrate(connectionString);
    return config.appSecret === undefined
      ? rotateInDataDir(connectionString, config)
      : rotateToGiven(connectionString, { old: env.APP_SECRET_OLD?.trim() ?? '', next: config.appSecret });
  },
};

async function rotateInDataDir(connectionString: string, config: Config): Promise<CommandAnswer> {
  const old = await openAppSecret(connectionString, config);
  const next = await proposeAppSecret(config.dataDir);
  const rotated = await rotate(connectionString, { old, next });
  const keptOld = await adoptAppSecret(config.dataDir, new Date());
  return {
    json: { rotated, keptOld },
    text: `${toText(rotated)}. The old secret is kept in ${keptOld}: delete it once no backup needs it.\n${consequences}`,
  };
}

async function rotateToGiven(
  connectionString: string,
  { old, next }: { old: string; next: string },
): Promise<CommandAnswer> {
  if (old.length < secretLengthMin)
    throw new ConfigError('APP_SECRET_OLD must be the secret in force until now, and APP_SECRET the new one');
  await openAppSecret(connectionString, { appSecret: old, dataDir: '' }).catch((error: Error) => {
    throw new ConfigError(error.message.replace(/^APP_SECRET /, 'APP_SECRET_OLD '));
  });
  const rotated = await rotate(connectionString, { old, next });
  return {
    json: { rotated },
    text: `${toText(rotated)}. Start every process with the new APP_SECRET.\n${consequences}`,
  };
}

function rotate(connectionString: string, { old, next }: { old: string; next: string }) {
  const secrets = { from: makeSecrets(old), to: makeSecrets(next) };
  return withClient(connectionString, (client) => rotateSecrets(client, secrets));
}

function toText(rotated: Record<string, number>): string {
  const parts = Object.entries(rotated).map(([table, rows]) => `${rows} of ${table}`);
  return `Encrypted anew: ${parts.join(', ')}`;
}
