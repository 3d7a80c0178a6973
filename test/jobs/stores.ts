import { randomBytes } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { describe } from 'vitest';
import type { JobStoreConfig } from '../../src/jobs/job-store.ts';
import type { OnCleanup } from '../setup/cleanup.ts';
import { fileTest } from '../setup/fixtures.ts';
import { toPooled } from '../setup/pooler.ts';
import { type ServiceOnDatabase, setupService } from '../setup/service.ts';

/** A service and a job store for any number of processes. */
export type TestStore = {
  service: ServiceOnDatabase;
  configFor: (processName: string) => JobStoreConfig;
};

const mongodbUrl = process.env.MONGODB_URL;

export const postgresStoreTest = fileTest.extend('store', { scope: 'file' }, ({ onFileCleanup }) =>
  openPostgres(onFileCleanup),
);
const mongoStoreTest = fileTest.extend('store', { scope: 'file' }, ({ onFileCleanup }) =>
  openMongo(onFileCleanup, mongodbUrl!),
);

/** Runs the tests with jobs in PostgreSQL, and in MongoDB if MONGODB_URL is set. */
export function describeStores(title: string, tests: (test: typeof postgresStoreTest) => void): void {
  describe(`${title}, jobs in PostgreSQL`, () => tests(postgresStoreTest));
  const hint = mongodbUrl ? '' : ' (skipped: MONGODB_URL is not set)';
  describe.skipIf(!mongodbUrl)(`${title}, jobs in MongoDB${hint}`, () => tests(mongoStoreTest));
}

export async function openPostgres(onCleanup: OnCleanup): Promise<TestStore> {
  const service = await setupService(onCleanup);
  const connectionString = toPooled(service.connectionString);
  return {
    service,
    configFor: (processName) => ({ connectionString, processName }),
  };
}

async function openMongo(onCleanup: OnCleanup, url: string): Promise<TestStore> {
  const service = await setupService(onCleanup);
  const connectionString = toPooled(service.connectionString);
  const own = new URL(url);
  own.pathname = `/test_${randomBytes(6).toString('hex')}`;
  const testUrl = own.href;
  onCleanup(async () => {
    const client = new MongoClient(testUrl);
    await client.db().dropDatabase();
    await client.close();
  });
  return {
    service,
    configFor: (processName) => ({ connectionString, mongodbUrl: testUrl, processName }),
  };
}
