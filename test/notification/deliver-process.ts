/** A process that delivers what is due until it is killed: `deliver-process.ts <database>`. For tests alone. */

import { systemClock } from '../../src/kit/clock.ts';
import { openDb } from '../../src/kit/db.ts';
import { deliverNotifications } from '../setup/deliver-notifications.ts';
import { testSecrets, testSettings } from '../setup/service.ts';

const connectionString = process.argv[2] ?? '';
const db = openDb({ connectionString, poolSize: 4, onError: (error) => console.error(error) });
await deliverNotifications({ ...db, secrets: testSecrets, settings: testSettings }, { clock: systemClock });
