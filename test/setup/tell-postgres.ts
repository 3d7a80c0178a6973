import { rename, writeFile } from 'node:fs/promises';

/** The PostgreSQL of a test run. */
export type TestPostgres = {
  /** As a superuser who may make databases. */
  url: string;
  /** The stopped PostgreSQL that it was copied from, as a DATA_DIR of the service; empty where there is none. */
  keptCluster: string;
};

/** Tells the test files, in one piece, what `testPostgres()` waits for. */
export async function tell(file: string, told: TestPostgres | { fault: string }): Promise<void> {
  await writeFile(`${file}.new`, JSON.stringify(told));
  await rename(`${file}.new`, file);
}
