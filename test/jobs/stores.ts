import { randomBytes } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { describe } from 'vitest';
import type { JobStoreConfig } from '../../src/jobs/job-store.ts';
import type { OnCleanup } from '../setup/cleanup.ts';
import { type ServiceOnDatabase, setupService } from '../setup/service.ts';

/** A service and a job store of the test file's own, for as many processes as the test plays. */
export type TestStore = {
  service: ServiceOnDatabase;
  configFor: (processName: string) => JobStoreConfig;
};

/** Runs the tests on PostgreSQL, and on MongoDB when MONGODB_URL says where one is. */
export function describeStores(
  onCleanup: OnCleanup,
  title: string,
  tests: (open: () => Promise<TestStore>) => void,
): void {
  describe(`${title}, jobs in PostgreSQL`, () => {
    tests(() => openPostgres(onCleanup));
  });
  const url = process.env.MONGODB_URL;
  describe.skipIf(!url)(`${title}, jobs in MongoDB${url ? '' : ' (skipped: MONGODB_URL is not set)'}`, () => {
    tests(() => openMongo(onCleanup, url!));
  });
}

export async function openPostgres(onCleanup: OnCleanup): Promise<TestStore> {
  const service = await setupService(onCleanup);
  const { connectionString } = service;
  return {
    service,
    configFor: (processName) => ({ connectionString, processName }),
  };
}

async function openMongo(onCleanup: OnCleanup, url: string): Promise<TestStore> {
  const service = await setupService(onCleanup);
  const { connectionString } = service;
  const own = new URL(url);
  own.pathname = `/test_${randomBytes(6).toString('hex')}`;
  const mongodbUrl = own.href;
  onCleanup(async () => {
    const client = new MongoClient(mongodbUrl);
    await client.db().dropDatabase();
    await client.close();
  });
  return {
    service,
    configFor: (processName) => ({ connectionString, mongodbUrl, processName }),
  };
}
