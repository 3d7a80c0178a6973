import fc from 'fast-check';
import { count } from './counts.ts';

/** Properties are tried with the same cases whenever the short suite runs, and with others each time in the long one. */
const seed = count(54, Date.now() & 0x7fffffff);

fc.configureGlobal({ seed });
