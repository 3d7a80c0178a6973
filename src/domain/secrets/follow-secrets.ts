import { formatNotice } from '../../event/notice.ts';
import type { Db } from '../../kit/db.ts';
import type { Keyring } from '../../kit/secrets.ts';
import type { Hub } from '../../live/hub.ts';
import { type OpenedSecrets, readSecrets, type SecretSources } from './read-secrets.ts';

/** Topic, and name in notices, of the secrets of the installation. */
const secretsTopic = 'secrets';

/** What has every process read its secrets again. */
export const secretsNotice = formatNotice({ objectId: secretsTopic, merchantId: 'none', mode: 'live' });

/**
 * Keeps a process's secrets to what is in force: they are read now, again when somebody changes them, and whenever that
 * may have been missed. `onRead` is told of each reading; `onError` of those that fail, as when none of those given is
 * in force any more: what others encrypt since then does not open here.
 */
export async function followSecrets(
  hub: Hub,
  given: {
    db: Pick<Db, 'pool'>;
    sources: SecretSources;
    keyring: Keyring;
    onRead: (known: OpenedSecrets) => Promise<void>;
    onError: (error: Error) => void;
  },
): Promise<void> {
  const { db, sources, keyring, onRead, onError } = given;
  const read = async () => {
    const known = await readSecrets(db.pool, sources);
    keyring.use(known);
    await onRead(known);
  };
  let reading: Promise<void> = Promise.resolve();
  hub.subscribe(secretsTopic, () => {
    reading = reading.then(read).catch(onError);
  });
  await read();
}
