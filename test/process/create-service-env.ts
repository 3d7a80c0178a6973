import { testAppSecret } from '../setup/service.ts';

/** The environment of a service on a test database, with receivers on this machine. */
export const createServiceEnv = (connectionString: string) => ({
  DATABASE_URL: connectionString,
  APP_SECRET: testAppSecret,
  ALLOW_PRIVATE_WEBHOOK_URLS: 'true',
  RATE_LIMIT: '0',
});
