import { readConfig } from './kit/config.ts';
import { startProcess } from './start-process.ts';

await startProcess(() => readConfig(process.env));
