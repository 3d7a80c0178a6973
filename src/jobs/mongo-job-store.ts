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

/** Errors for an invalid URL name the variable. They omit the URL, which contains a password. */
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

/** Uses the same conditions as Agenda's statement that locks a job of a name. */
function findDueNames(jobs: Collection): FindDueNames {
  return (nextScanAt, lockDeadline) =>
    jobs.distinct('name', {
      disabled: { $ne: true },
      $or: [{ lockedAt: null, nextRunAt: { $lte: nextScanAt } }, { lockedAt: { $lte: lockDeadline } }],
    });
}

/**
 * Inserts the schedule under an ID derived from its name, before Agenda upserts it by name. Otherwise, two processes
 * that start concurrently could create the schedule twice. A partial unique index would prevent it too, but not every
 * MongoDB-compatible server supports one.
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
