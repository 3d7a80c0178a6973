import { adoptAppSecret, readAppSecret } from '../../kit/app-secret.ts';
import { withClient } from '../../kit/with-client.ts';
import { type OpenedSecrets, readSecrets, type SecretSources } from './read-secrets.ts';

/**
 * The secrets that a process begins with. In DATA_DIR a new one that is in force already takes its place there: changing
 * to it was broken off. Errors: as of readSecrets.
 */
export async function openSecrets(connectionString: string, sources: SecretSources): Promise<OpenedSecrets> {
  const known = await withClient(connectionString, (client) => readSecrets(client, sources));
  if (sources.appSecret === undefined && (await readAppSecret(sources.dataDir)) !== known.inForce)
    await adoptAppSecret(sources.dataDir, new Date());
  return known;
}
