import {
  adoptAppSecret,
  appSecretPath,
  readAppSecret,
  readOrMakeAppSecret,
  readProposedAppSecret,
} from '../../kit/app-secret.ts';
import { makeSecrets } from '../../kit/secrets.ts';
import { withClient } from '../../kit/with-client.ts';

/**
 * The APP_SECRET with which what the database holds is encrypted: the one given, else that of DATA_DIR, which is made
 * for a database that holds nothing yet. A change to a new one that was broken off is brought to its end.
 * Throws an Error that names APP_SECRET when it is another than the database's.
 */
export async function openAppSecret(
  connectionString: string,
  options: { appSecret: string | undefined; dataDir: string },
): Promise<string> {
  const { appSecret, dataDir } = options;
  const sample = await readSealedSample(connectionString);
  if (appSecret !== undefined) {
    if (sample === undefined || opensSealed(appSecret, sample)) return appSecret;
    throw new Error('APP_SECRET is not the one with which this database was encrypted: set that one');
  }
  if (sample === undefined) return readOrMakeAppSecret(dataDir);
  const present = await readAppSecret(dataDir);
  if (present !== undefined && opensSealed(present, sample)) return present;
  const proposed = await readProposedAppSecret(dataDir);
  if (proposed !== undefined && opensSealed(proposed, sample)) {
    await adoptAppSecret(dataDir, new Date());
    return proposed;
  }
  throw new Error(
    `The app secret with which the database was encrypted is ${present === undefined ? 'missing' : 'another one'}: ` +
      `bring back ${appSecretPath(dataDir)}, or set APP_SECRET`,
  );
}

export function opensSealed(appSecret: string, sealed: string): boolean {
  try {
    makeSecrets(appSecret).unseal(sealed);
    return true;
  } catch {
    return false;
  }
}

/** Every merchant has a sealed key, and without merchants there is nothing sealed. */
function readSealedSample(connectionString: string): Promise<string | undefined> {
  return withClient(connectionString, async (client) => {
    const tables = await client.query(`SELECT to_regclass('merchant') AS name`);
    if (tables.rows[0]?.name === null) return undefined;
    const { rows } = await client.query<{ sealed: string }>(
      'SELECT hash_key_sealed AS sealed FROM merchant ORDER BY id DESC LIMIT 1',
    );
    return rows[0]?.sealed;
  });
}
