/** Runs the renewals once, so that tests can kill the process: `node renew-process.ts DATABASE_URL NOW`. */

import { renewSubscriptions } from '../../src/domain/billing/collection/renew-subscriptions.ts';
import { openService } from '../setup/service.ts';

const [, , connectionString = '', now = ''] = process.argv;
await renewSubscriptions(openService(connectionString, { poolSize: 2 }), { now: new Date(now) });
process.exit();
