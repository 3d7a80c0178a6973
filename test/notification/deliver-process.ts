/** A process that delivers due notifications: `deliver-process.ts <connection string>`. */

import { systemClock } from '../../src/kit/clock.ts';
import { deliverNotifications } from '../setup/deliver-notifications.ts';
import { openService } from '../setup/service.ts';

await deliverNotifications(openService(process.argv[2] ?? ''), { clock: systemClock });
