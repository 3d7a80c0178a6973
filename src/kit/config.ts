import { createReaders } from './config-readers.ts';
import { secondMs } from './duration.ts';
import { isLoopback } from './private-address.ts';

type Role = 'all' | 'api' | 'worker';

/** The validated environment. docs/reference/environment.md lists all variables. */
export type Config = {
  port: number;
  host: string;
  /** The origin of all links to the service, without a trailing slash. */
  publicUrl: string;
  trustProxy: string[];
  /** If undefined, an embedded PostgreSQL in `dataDir` is used. */
  databaseUrl: string | undefined;
  /** PostgreSQL itself, if `databaseUrl` is a connection pooler: for LISTEN, migrations, backups and rotations. */
  databaseDirectUrl: string | undefined;
  /**
   * Streaming standbys, which serve reports, exports and backups. If undefined, everything is read from the
   * primary.
   */
  databaseReadUrl: string | undefined;
  /** A standby whose data is further behind is not read. */
  databaseReadLagMsMax: number;
  databasePoolSize: number;
  dataDir: string;
  demo: boolean;
  mongodbUrl: string | undefined;
  /** May be undefined with an embedded PostgreSQL: the secret is then generated once and stored in `dataDir`. */
  appSecret: string | undefined;
  /** The previous APP_SECRET during a rotation, under which the data keys may still be wrapped. */
  appSecretPrevious: string | undefined;
  role: Role;
  /** How long the process still serves requests after the stop signal, while it reports that it is not ready. */
  shutdownDelayMs: number;
  /** If undefined, emails are captured and not sent. */
  smtpUrl: string | undefined;
  mailFrom: string | undefined;
  /** If undefined, SMS messages are captured and not sent. */
  smsUrl: string | undefined;
  exchangeRateFeeds: string[];
  /** The folder with the folders of bank feeds; if undefined, feeds cannot read local files. */
  feedDir: string | undefined;
  allowPrivateTargets: boolean;
  /** Requests per second for each API key, each user, and each network of other clients; 0 disables the limit. */
  rateLimit: number;
  /**
   * The maximum number of open charges that one network may start on the customer pages of a merchant; 0 disables the
   * limit.
   */
  checkoutChargesMax: number;
  logLevel: string;
  metricsToken: string | undefined;
  /** If undefined, tracing is off. */
  tracing: { url: string; serviceName: string; sampledFraction: number } | undefined;
};

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Reads and validates the environment. Throws a `ConfigError` that lists every invalid variable. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const { read, errors } = createReaders(env);
  const host = read.host('HOST', '127.0.0.1');
  const port = read.integer('PORT', 4000, { min: 0, max: 65_535 });
  const databaseUrl = read.databaseUrl('DATABASE_URL');
  const publicUrl = read.origin('PUBLIC_URL') ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const demo = read.flag(
    'DEMO',
    databaseUrl === undefined && isLoopback(host) && isLoopback(new URL(publicUrl).hostname),
  );
  const role = read.choice('ROLE', ['all', 'api', 'worker'], 'all');
  const config: Config = {
    port,
    host,
    publicUrl,
    trustProxy: read.ipAddresses('TRUST_PROXY'),
    databaseUrl,
    databaseDirectUrl: read.databaseUrl('DATABASE_DIRECT_URL'),
    databaseReadUrl: read.standbyUrl('DATABASE_READ_URL'),
    databaseReadLagMsMax: secondMs * read.integer('DATABASE_READ_LAG_SECONDS', 10, { min: 5, max: 3_600 }),
    databasePoolSize: read.integer('DATABASE_POOL_SIZE', 10, { min: 2, max: 1000 }),
    dataDir: read.text('DATA_DIR') ?? '.data',
    demo,
    mongodbUrl: read.mongodb('MONGODB_URL'),
    appSecret: read.secret('APP_SECRET', 32),
    appSecretPrevious: read.secret('APP_SECRET_PREVIOUS', 32),
    role,
    shutdownDelayMs: readShutdownDelay(read, role),
    smtpUrl: read.smtpServer('SMTP_URL'),
    mailFrom: read.mailbox('MAIL_FROM'),
    smsUrl: read.url('SMS_URL', ['http:', 'https:']),
    exchangeRateFeeds: read.urls('EXCHANGE_RATE_FEEDS'),
    feedDir: read.text('FEED_DIR'),
    allowPrivateTargets: read.flag('ALLOW_PRIVATE_TARGETS', demo),
    rateLimit: read.integer('RATE_LIMIT', 100, { min: 0, max: 1_000_000 }),
    checkoutChargesMax: read.integer('CHECKOUT_CHARGES_MAX', 500, { min: 0, max: 1_000_000 }),
    logLevel: read.choice('LOG_LEVEL', logLevels, 'info'),
    metricsToken: read.secret('METRICS_TOKEN', 16),
    tracing: readTracing(read),
  };
  errors.push(...checkCombinations(config, env));
  if (errors.length > 0)
    throw new ConfigError(`The configuration is invalid:\n${errors.map((f) => `  ${f}`).join('\n')}`);
  return config;
}

type Readers = ReturnType<typeof createReaders>['read'];

/** Returns the errors of variables whose combination is invalid. */
function checkCombinations(
  { databaseUrl, databaseDirectUrl, databaseReadUrl, role, appSecret, smtpUrl }: Config,
  env: NodeJS.ProcessEnv,
): string[] {
  const errors: string[] = [];
  const isUnset = (name: string) => (env[name] ?? '').trim() === '';
  if (databaseUrl !== undefined && appSecret === undefined) {
    errors.push(
      'APP_SECRET is required with DATABASE_URL: set it to at least 32 random characters, the same for every process',
    );
  }
  // An empty value is an error, because treating it as unset would silently start a new embedded database.
  if (env.DATABASE_URL?.trim() === '') errors.push('DATABASE_URL is empty: set a value or unset it');
  if (databaseUrl === undefined && databaseDirectUrl !== undefined)
    errors.push('DATABASE_URL is required with DATABASE_DIRECT_URL: set it to the connection pooler');
  if (databaseUrl === undefined && databaseReadUrl !== undefined)
    errors.push('DATABASE_URL is required with DATABASE_READ_URL: set it to the primary');
  if (databaseUrl !== undefined && role !== 'all' && isUnset('PUBLIC_URL')) {
    errors.push(
      'PUBLIC_URL is required with ROLE: set it to the same value for every process, as each creates links',
    );
  }
  if (databaseUrl === undefined && role !== 'all') {
    errors.push(
      'ROLE: the embedded database supports only ROLE=all; to run several processes, set DATABASE_URL',
    );
  }
  if (smtpUrl !== undefined && isUnset('MAIL_FROM')) {
    errors.push('MAIL_FROM is required with SMTP_URL: set it to the sender address');
  }
  return errors;
}

function readShutdownDelay(read: Readers, role: Role): number {
  return 1_000 * read.integer('SHUTDOWN_DELAY_SECONDS', role === 'api' ? 2 : 0, { min: 0, max: 300 });
}

/**
 * Reads the standard OpenTelemetry variables. Unlike the standard, tracing is off without an endpoint, and the service
 * name defaults to `causeway`.
 */
function readTracing(read: Readers): Config['tracing'] {
  const protocols = ['http:', 'https:'];
  const endpoint = read.url('OTEL_EXPORTER_OTLP_ENDPOINT', protocols);
  const tracesEndpoint = read.url('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', protocols);
  const serviceName = read.text('OTEL_SERVICE_NAME') ?? 'causeway';
  const sampledFraction = read.fraction('OTEL_TRACES_SAMPLER_ARG', 1);
  const url =
    tracesEndpoint ?? (endpoint === undefined ? undefined : `${endpoint.replace(/\/$/, '')}/v1/traces`);
  return url === undefined ? undefined : { url, serviceName, sampledFraction };
}
