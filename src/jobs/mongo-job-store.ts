import { createHash } from 'node:crypto';
import { MongoJobRepository } from '@agendajs/mongo-backend';
import type { JobParameters } from 'agenda';
import { type Collection, MongoClient, type MongoServerError, ObjectId } from 'mongodb';
import { jobsApplicationName } from '../kit/application-names.ts';
import { coalescePolling, type FindDueNames } from './coalesce-polling.ts';
import type { JobStore } from './job-store.ts';
import { releaseJobs } from './release-jobs.ts';
import { trackRepository } from './tracked-repository.ts';

const collectionName = 'agendaJobs';
const poolSize = 5;
const connectTimeoutMs = 5_000;
const duplicateKey = 11_000;

export async function openMongoJobStore(
  options: { mongodbUrl: string; processName: string },
  onError: (error: Error) => void,
): Promise<JobStore> {
  const client = createMongoClient(options.mongodbUrl);
  client.on('error', onError);
  const jobs = client.db().collection(collectionName);
  const repository = new MongoJobRepository({ mongo: client.db(), db: { collection: collectionName } });
  const saveJob = repository.saveJob.bind(repository);
  repository.saveJob = async (job, saveOptions) => {
    if (job.type === 'single' && !job._id) await reserveSchedule(jobs, job);
    return saveJob(job, saveOptions);
  };
  try {
    await client.connect();
    await repository.connect();
  } catch (error) {
    await client.close();
    throw error;
  }
  repository.getNextJobToRun = coalescePolling(repository, findDueNames(jobs));
  const tracked = trackRepository(repository, onError);
  return {
    name: 'MongoDB',
    repository: tracked.repository,
    async close() {
      await tracked.whenSettled();
      await releaseJobs(tracked.repository, options.processName).catch(onError);
      await client.close();
    },
  };
}

/** An address that the driver cannot read is told by the variable's name; it holds a password, and is not repeated. */
function createMongoClient(mongodbUrl: string): MongoClient {
  try {
    return new MongoClient(mongodbUrl, {
      maxPoolSize: poolSize,
      serverSelectionTimeoutMS: connectTimeoutMs,
      appName: jobsApplicationName,
    });
  } catch (error) {
    throw new Error(`MONGODB_URL: ${(error as Error).message.replaceAll(mongodbUrl, '…')}`);
  }
}

/** As Agenda's own statement that locks one of a name. */
function findDueNames(jobs: Collection): FindDueNames {
  return (nextScanAt, lockDeadline) =>
    jobs.distinct('name', {
      disabled: { $ne: true },
      $or: [{ lockedAt: null, nextRunAt: { $lte: nextScanAt } }, { lockedAt: { $lte: lockDeadline } }],
    });
}

/**
 * The package makes a schedule by an upsert on its name: two first starts at once would make it twice, and then it
 * runs twice for ever. So it is made before, under an id that follows from the name. (A unique index on the names of
 * schedules alone would do as well, but not every server that speaks MongoDB's protocol has partial indexes.)
 */
async function reserveSchedule(jobs: Collection, schedule: JobParameters): Promise<void> {
  const { name, type, priority, nextRunAt, repeatInterval } = schedule;
  if (await jobs.findOne({ name, type })) return;
  const _id = new ObjectId(createHash('sha256').update(name).digest().subarray(0, 12));
  try {
    await jobs.insertOne({ _id, name, type, priority, nextRunAt, repeatInterval, lockedAt: null });
  } catch (error) {
    if ((error as MongoServerError).code !== duplicateKey) throw error;
  }
}
