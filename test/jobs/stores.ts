import { randomBytes } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { describe } from 'vitest';
import type { JobStoreConfig } from '../../src/jobs/job-store.ts';
import { atEnd } from '../setup/at-end.ts';
import { type ServiceOnDatabase, testService } from '../setup/service.ts';

/** A service and a job store of the test file's own, for as many processes as the test plays. */
export type TestStore = {
  service: ServiceOnDatabase;
  configFor: (processName: string) => JobStoreConfig;
};

/** Runs the tests on PostgreSQL, and on MongoDB when MONGODB_URL says where one is. */
export function describeStores(title: string, tests: (open: () => Promise<TestStore>) => void): void {
  describe(`${title}, jobs in PostgreSQL`, () => tests(openPostgres));
  const url = process.env.MONGODB_URL;
  describe.skipIf(!url)(`${title}, jobs in MongoDB${url ? '' : ' (skipped: MONGODB_URL is not set)'}`, () =>
    tests(() => openMongo(url!)),
  );
}

export async function openPostgres(): Promise<TestStore> {
  const service = await testService();
  const { connectionString } = service;
  return {
    service,
    configFor: (processName) => ({ connectionString, processName }),
  };
}

async function openMongo(url: string): Promise<TestStore> {
  const service = await testService();
  const { connectionString } = service;
  const own = new URL(url);
  own.pathname = `/test_${randomBytes(6).toString('hex')}`;
  const mongodbUrl = own.href;
  atEnd(async () => {
    const client = new MongoClient(mongodbUrl);
    await client.db().dropDatabase();
    await client.close();
  });
  return {
    service,
    configFor: (processName) => ({ connectionString, mongodbUrl, processName }),
  };
}
