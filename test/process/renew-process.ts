/** A worker's sweep of renewals alone, to be killed: `node renew-process.ts DATABASE_URL APP_SECRET NOW`. */

import { renewSubscriptions } from '../../src/domain/subscription/renew-subscriptions.ts';
import { openDb } from '../../src/kit/db.ts';
import { makeSecrets } from '../../src/kit/secrets.ts';
import { testSettings } from '../setup/service.ts';

const [, , connectionString = '', appSecret = '', now = ''] = process.argv;
const db = openDb({ connectionString, poolSize: 2, onError: console.error });
const service = { ...db, secrets: makeSecrets(appSecret), settings: testSettings };
await renewSubscriptions(service, { now: new Date(now) });
process.exit();
