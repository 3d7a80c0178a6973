import type { Config } from '../../kit/config.ts';
import type { Db } from '../../kit/db.ts';
import { type ReadReplicas, readPrimary, type StaleReader } from '../../kit/read-replicas.ts';
import type { Secrets } from '../../kit/secrets.ts';
import type { ReadCache } from '../../live/read-cache.ts';

/** The dependencies of operations: the database, the secrets, and the settings that affect business rules. */
export type Service = Db & {
  secrets: Secrets;
  /** The standbys of DATABASE_READ_URL; undefined if there are none. Use `chooseReader`. */
  replicas?: ReadReplicas;
  /** Undefined if every read must query the database. */
  reads?: ReadCache;
  settings: {
    /** The origin for links, without a trailing slash. */
    publicUrl: string;
    /** The folder of the embedded PostgreSQL; undefined with an external database. */
    dataDir?: string | undefined;
    allowPrivateTargets: boolean;
    /** The rate feeds that the refresh-rates job reads. */
    exchangeRateFeeds: string[];
    /** The folder with the folders of bank feeds. If undefined, feeds cannot read local files. */
    feedDir?: string | undefined;
    /** Whether the job schedules are in MongoDB. If not, they are in PostgreSQL. */
    hasMongoDb?: boolean;
    /**
     * The maximum number of open charges that one network may start on the customer pages of a merchant; 0 disables
     * the limit.
     */
    checkoutChargesMax: number;
    /** If undefined, emails are captured and not sent. */
    smtpUrl?: string | undefined;
    mailFrom?: string | undefined;
    /** If undefined, SMS messages are captured and not sent. */
    smsUrl?: string | undefined;
  };
};

/** Returns whether a mail server is set up. Without one, no page may promise an email. */
export function canSendEmail({ settings }: Pick<Service, 'settings'>): boolean {
  return settings.smtpUrl !== undefined;
}

/**
 * Chooses where to read data that is shown or exported, and may be some seconds old: a standby within the
 * allowed lag, or the primary. With `includes`, the data has all changes until that time.
 */
export async function chooseReader(
  { replicas, ...db }: Db & Pick<Service, 'replicas'>,
  { includes }: { includes?: Date } = {},
): Promise<StaleReader> {
  if (!replicas) return readPrimary(db);
  return includes ? replicas.chooseNewerThan(includes) : replicas.choose();
}

/** Returns the part of the configuration that affects business rules. */
export function pickSettings(config: Config): Service['settings'] {
  const {
    publicUrl,
    allowPrivateTargets,
    exchangeRateFeeds,
    feedDir,
    checkoutChargesMax,
    smtpUrl,
    mailFrom,
    smsUrl,
  } = config;
  return {
    publicUrl,
    dataDir: config.databaseUrl === undefined ? config.dataDir : undefined,
    allowPrivateTargets,
    exchangeRateFeeds,
    feedDir,
    hasMongoDb: config.mongodbUrl !== undefined,
    checkoutChargesMax,
    smtpUrl,
    mailFrom,
    smsUrl,
  };
}
