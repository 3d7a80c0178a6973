import type { Config } from '../../kit/config.ts';
import type { Db } from '../../kit/db.ts';
import type { Secrets } from '../../kit/secrets.ts';
import type { ReadCache } from '../../live/read-cache.ts';

/** What operations work with: the database, the secrets, and the few settings that rules depend on. */
export type Service = Db & {
  secrets: Secrets;
  /** Left out where everything is read when it is asked for. */
  reads?: ReadCache;
  settings: {
    /** Origin in links, without a trailing slash. */
    publicUrl: string;
    allowPrivateTargets: boolean;
    /** Rate feeds that the refresh-rates job reads. */
    forexUrls: string[];
    /** Unpaid charges that one network may have started on customer pages; 0 turns the cap off. */
    checkoutChargesMax: number;
    /** Servers that messages are handed to; where there is none, they are kept in the dev mailbox. */
    smtpUrl?: string | undefined;
    mailFrom?: string | undefined;
    smsUrl?: string | undefined;
  };
};

/** The settings that rules depend on, of all the configuration says. */
export function pickSettings(config: Config): Service['settings'] {
  const { publicUrl, allowPrivateTargets, forexUrls, checkoutChargesMax, smtpUrl, mailFrom, smsUrl } = config;
  return { publicUrl, allowPrivateTargets, forexUrls, checkoutChargesMax, smtpUrl, mailFrom, smsUrl };
}
