import type { Logger } from 'pino';
import { createLogger } from '../../src/kit/log.ts';
import { readLog } from './logged-secrets.ts';

/** For what is started without a log of its own. */
export const suiteLog: Logger = createLogger('trace', { write: readLog });
