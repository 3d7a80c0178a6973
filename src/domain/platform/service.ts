import type { Config } from '../../kit/config.ts';
import type { Db } from '../../kit/db.ts';
import type { Secrets } from '../../kit/secrets.ts';
import type { ReadCache } from '../../live/read-cache.ts';

/** The dependencies of operations: database, secrets, and the settings that rules depend on. */
export type Service = Db & {
  secrets: Secrets;
  /** Without a cache, each read queries the database. */
  reads?: ReadCache;
  settings: {
    /** The origin for links, without a trailing slash. */
    publicUrl: string;
    allowPrivateWebhookUrls: boolean;
    /** The rate feeds that the refresh-rates job reads. */
    exchangeRateFeeds: string[];
    /** The maximum number of unpaid charges that one network may create on customer pages; 0 means no limit. */
    checkoutChargesMax: number;
    /** Servers that deliver messages. Without one, messages stay in the dev mailbox. */
    smtpUrl?: string | undefined;
    mailFrom?: string | undefined;
    smsUrl?: string | undefined;
  };
};

/** Returns the subset of the configuration that rules depend on. */
export function pickSettings(config: Config): Service['settings'] {
  const {
    publicUrl,
    allowPrivateWebhookUrls,
    exchangeRateFeeds,
    checkoutChargesMax,
    smtpUrl,
    mailFrom,
    smsUrl,
  } = config;
  return {
    publicUrl,
    allowPrivateWebhookUrls,
    exchangeRateFeeds,
    checkoutChargesMax,
    smtpUrl,
    mailFrom,
    smsUrl,
  };
}
