/** A process that delivers what is due until it is killed: `deliver-process.ts <database>`. For tests alone. */

import { systemClock } from '../../src/kit/clock.ts';
import { deliverNotifications } from '../setup/deliver-notifications.ts';
import { openService } from '../setup/service.ts';

await deliverNotifications(openService(process.argv[2] ?? ''), { clock: systemClock });
