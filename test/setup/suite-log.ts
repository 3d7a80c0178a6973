import type { Logger } from 'pino';
import { makeLog } from '../../src/kit/log.ts';
import { readLog } from './logged-secrets.ts';

/** For what is started without a log of its own. */
export const suiteLog: Logger = makeLog('trace', { write: readLog });
