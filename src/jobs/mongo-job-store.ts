import { MongoJobRepository } from '@agendajs/mongo-backend';
import { MongoClient } from 'mongodb';
import type { JobStore } from './job-store.ts';
import { releaseJobs } from './release-jobs.ts';
import { trackRepository } from './tracked-repository.ts';

const collectionName = 'agendaJobs';
const poolSize = 5;
const connectTimeoutMs = 5_000;

export async function openMongoJobStore(
  options: { mongodbUrl: string; processName: string },
  onError: (error: Error) => void,
): Promise<JobStore> {
  const client = new MongoClient(options.mongodbUrl, {
    maxPoolSize: poolSize,
    serverSelectionTimeoutMS: connectTimeoutMs,
    appName: 'causeway jobs',
  });
  client.on('error', onError);
  const jobs = client.db().collection(collectionName);
  const repository = new MongoJobRepository({ mongo: client.db(), db: { collection: collectionName } });
  try {
    await client.connect();
    // The package has no unique index: two first starts at once would make each schedule twice.
    await jobs.createIndex(
      { name: 1 },
      { name: 'oneScheduleAName', unique: true, partialFilterExpression: { type: 'single' } },
    );
    await repository.connect();
  } catch (error) {
    await client.close();
    throw error;
  }
  const tracked = trackRepository(repository, onError);
  return {
    name: 'MongoDB',
    repository: tracked.repository,
    async close() {
      await tracked.settled();
      await releaseJobs(tracked.repository, options.processName).catch(onError);
      await client.close();
    },
  };
}
