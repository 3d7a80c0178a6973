import type { Config } from '../kit/config.ts';
import type { Db } from '../kit/db.ts';
import type { Secrets } from '../kit/secrets.ts';

/** What operations work with: the database, the secrets, and the few settings that rules depend on. */
export type Service = Db & {
  secrets: Secrets;
  settings: {
    /** Origin in links, without a trailing slash. */
    publicUrl: string;
    allowPrivateTargets: boolean;
    /** Rate feeds that the refresh-rates job reads. */
    forexUrls: string[];
  };
};

/** The settings that rules depend on, of all the configuration says. */
export function settingsOf(config: Config): Service['settings'] {
  const { publicUrl, allowPrivateTargets, forexUrls } = config;
  return { publicUrl, allowPrivateTargets, forexUrls };
}
