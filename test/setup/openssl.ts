import { spawnSync } from 'node:child_process';

/** Whether the openssl command is installed; tests that need it say so in their names. */
export const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
