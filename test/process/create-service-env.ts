import { toDirect, toPooled } from '../setup/pooler.ts';
import { testAppSecret } from '../setup/service.ts';

/** The environment of a service on a database of the tests, whose receivers are on this machine. */
export const createServiceEnv = (connectionString: string) => ({
  DATABASE_URL: toPooled(connectionString),
  DATABASE_DIRECT_URL: toDirect(connectionString),
  APP_SECRET: testAppSecret,
  ALLOW_PRIVATE_TARGETS: 'true',
  RATE_LIMIT: '0',
});
