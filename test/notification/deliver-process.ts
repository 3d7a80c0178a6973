/** A process that delivers what is due until it is killed: `deliver-process.ts <database>`. For tests alone. */

import { systemClock } from '../../src/kit/clock.ts';
import { openDb } from '../../src/kit/db.ts';
import { deliverNotifications } from '../setup/deliver-notifications.ts';
import { testSecrets } from '../setup/service.ts';

const connectionString = process.argv[2] ?? '';
const db = openDb({ connectionString, poolSize: 4, onError: (error) => console.error(error) });
const settings = { publicUrl: 'http://127.0.0.1:4000', allowPrivateTargets: true, forexUrls: [] };
await deliverNotifications({ ...db, secrets: testSecrets, settings }, { clock: systemClock });
