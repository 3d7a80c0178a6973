import type pg from 'pg';
import { forgetSecrets } from '../domain/secrets/forget-secrets.ts';
import { type RotateOptions, type Rotation, rotateSecrets } from '../domain/secrets/rotate-secrets.ts';
import { adoptAppSecret, proposeAppSecret, readAppSecret } from '../kit/app-secret.ts';
import { type Config, ConfigError } from '../kit/config.ts';
import { migrate } from '../kit/migrate.ts';
import { withClient } from '../kit/with-client.ts';
import type { CommandAnswer, DatabaseCommand } from './command.ts';

/** Told each time: what stays of the old secret. */
const consequences =
  'Links, tokens and codes given out before still count: once they no longer need to, or at once if the old secret ' +
  'may be known to others, call secrets forget. Backups made before need the old secret.';

type Place = Pick<RotateOptions, 'next' | 'onInForce'> & { keptOld: () => string | undefined };

export const rotateSecretsCommand: DatabaseCommand = {
  alone: false,
  async runOn({ connectionString }, { config, say }) {
    await migrate(connectionString);
    const { keptOld, ...place } = config.appSecret === undefined ? inDataDir(config) : inEnvironment(config);
    const rotation = await withClient(connectionString, (client) =>
      rotateSecrets(client, { sources: config, now: new Date(), onProgress: say, ...place }),
    );
    return answerOf(rotation, keptOld());
  },
};

export const forgetSecretsCommand: DatabaseCommand = {
  alone: false,
  async runOn({ connectionString }, { config, say }) {
    await migrate(connectionString);
    const forgotten = await withClient(connectionString, (client: pg.Client) =>
      forgetSecrets(client, { sources: config, now: new Date(), onProgress: say }),
    );
    const text =
      forgotten === 0
        ? 'There was no earlier secret to forget.'
        : `Forgotten: ${forgotten} earlier ${forgotten === 1 ? 'secret' : 'secrets'}. What was signed under ${forgotten === 1 ? 'it' : 'them'} no longer counts.`;
    return { json: { forgotten }, text };
  },
};

/** The new secret is made beside the present one, and takes its place once it is in force. */
function inDataDir({ dataDir }: Config): Place {
  let keptOld: string | undefined;
  return {
    next: () => proposeAppSecret(dataDir),
    async onInForce(secret) {
      if ((await readAppSecret(dataDir)) !== secret) keptOld = await adoptAppSecret(dataDir, new Date());
    },
    keptOld: () => keptOld,
  };
}

function inEnvironment({ appSecret, appSecretOld }: Config): Place {
  return {
    async next(inForce) {
      if (appSecret !== undefined && appSecret !== inForce) return appSecret;
      throw new ConfigError(
        appSecretOld === undefined
          ? 'APP_SECRET is in force. To change it, start every process with the new one in APP_SECRET and the present one in APP_SECRET_OLD, and call this with both'
          : 'APP_SECRET is in force already: there is nothing to change',
      );
    },
    onInForce: async () => {},
    keptOld: () => undefined,
  };
}

function answerOf({ rotated, isResumed }: Rotation, keptOld: string | undefined): CommandAnswer {
  const parts = Object.entries(rotated).map(([table, rows]) => `${rows} of ${table}`);
  const lines = [
    isResumed
      ? 'A change of the secret that was broken off is complete; no other was begun.'
      : 'A new secret is in force.',
    `Encrypted anew: ${parts.join(', ')}.`,
    ...(keptOld === undefined
      ? []
      : [`The old secret is kept in ${keptOld}: delete it once no backup needs it.`]),
    consequences,
  ];
  return {
    json: { rotated, isResumed, ...(keptOld !== undefined && { keptOld }) },
    text: lines.join('\n'),
  };
}
