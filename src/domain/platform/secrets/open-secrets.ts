import { setTimeout as delay } from 'node:timers/promises';
import { minuteMs } from '../../../kit/duration.ts';
import { type Keyring, openKeyring } from '../../../kit/secrets.ts';
import { withClient } from '../../../kit/with-client.ts';
import { readDataKeys, type SecretSources } from './data-keys.ts';

/**
 * How long a process encrypts with the data keys it has loaded. `deleteRetiredDataKeys` waits longer than
 * this.
 */
export const leaseMs = 2 * minuteMs;
const defaultReloadMs = 30_000;
const retryMs = 1_000;
/** Without timeouts, a silently broken connection would block all later reloads. */
const connectionTimeouts = { connectionTimeoutMillis: 10_000, query_timeout: 10_000 };

type ReloadingKeyring = {
  secrets: Keyring;
  /** Reloads the data keys, and retries until a reload succeeds. */
  reload: () => Promise<void>;
  stop: () => void;
};

/** Loads the data keys of a process, and reloads them every half minute, because a change notice may be missed. */
export async function openSecrets(
  connectionString: string,
  {
    sources,
    onError,
    reloadMs = defaultReloadMs,
  }: { sources: SecretSources; onError: (error: Error) => void; reloadMs?: number },
): Promise<ReloadingKeyring> {
  const load = () =>
    withClient(connectionString, (client) => readDataKeys(client, sources), connectionTimeouts);
  const secrets = await openKeyring(load, { leaseMs });
  const stopController = new AbortController();
  const reload = async () => {
    while (!stopController.signal.aborted) {
      try {
        await secrets.reload();
        return;
      } catch (error) {
        onError(error as Error);
      }
      await delay(retryMs, undefined, { signal: stopController.signal }).catch(() => {});
    }
  };
  let isReloading = false;
  const timer = setInterval(async () => {
    if (isReloading) return;
    isReloading = true;
    await reload();
    isReloading = false;
  }, reloadMs);
  const stop = () => {
    clearInterval(timer);
    stopController.abort();
  };
  return { secrets, reload, stop };
}
