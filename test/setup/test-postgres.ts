import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { inject } from 'vitest';
import type { TestPostgres } from './tell-postgres.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The file in which it stands, or why there is none, once that is known. */
    testPostgres: string;
  }
}

/** It starts while the test files load: whoever needs it waits for it here. */
export async function testPostgres(): Promise<TestPostgres> {
  const file = inject('testPostgres');
  for (;;) {
    const told = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
    if (told === undefined) await delay(10);
    else return read(JSON.parse(told));
  }
}

function read(told: TestPostgres | { fault: string }): TestPostgres {
  if ('fault' in told) throw new Error(`There is no PostgreSQL for the tests: ${told.fault}`);
  return told;
}
