import { setImmediate } from 'node:timers/promises';
import type { FeedDelivery } from '../../../../prisma/client/client.ts';
import { decryptFile } from '../../../feed/pull/decrypt-file.ts';
import { type FileSource, isUnfinishedName, type SourceFile } from '../../../feed/pull/file-source.ts';
import { matchesFileName } from '../../../feed/pull/match-file-name.ts';
import { openFolder } from '../../../feed/pull/open-folder.ts';
import { openSftp } from '../../../feed/pull/open-sftp.ts';
import { PullError } from '../../../feed/pull/pull-error.ts';
import { secondMs } from '../../../kit/duration.ts';
import { isUnavailable } from '../../../kit/unavailable.ts';
import type { Service } from '../../platform/service.ts';
import { decryptFeedCredentials, type OpenBankFeed } from './open-bank-feed.ts';
import { getPollIntervalMs, type PollOutcome, type PollRun, toPullError } from './poll-run.ts';
import { receiveFile } from './receive-file.ts';

/** The maximum number of files of one poll. If there are more, the next poll follows immediately. */
const filesPerPoll = 10;
/** A poll handles no more files after this many have failed. */
const failuresPerPoll = 100;
/** The interval between the two polls that must find the same size and modification time. */
const settleMs = 20 * secondMs;

/** The sizes and modification times of files that were not fetched yet, by name, as of the previous poll. */
type FilePollState = { growing?: Record<string, string> };

type KnownFile = Pick<FeedDelivery, 'fileName' | 'size' | 'fileModifiedAt' | 'status'>;

/**
 * Fetches the new files of a feed. A file is complete if two polls find the same size and modification time. A file
 * that stays in the folder is fetched again only if it changes or the merchant requests it.
 */
export async function fetchFiles(service: Service, open: OpenBankFeed, run: PollRun): Promise<PollOutcome> {
  const source = await openFileSource(service, open);
  try {
    return await fetchFrom(source, service, open, run);
  } finally {
    await source.close();
  }
}

async function fetchFrom(
  source: FileSource,
  service: Service,
  open: OpenBankFeed,
  run: PollRun,
): Promise<PollOutcome> {
  const { feed, settings } = open;
  const { patterns = [], archivesFiles = false } = settings.pull ?? {};
  const listed = (await selectFiles(await source.list(), patterns)).sort(
    (a, b) => a.modifiedAt.getTime() - b.modifiedAt.getTime() || (a.name < b.name ? -1 : 1),
  );
  const known = await findKnownFiles(service, open, listed);
  const files = listed.filter((file) => !known.has(toFileKey(file)));
  const { growing: before = {} } = feed.pollState as FilePollState;
  const isComplete = (file: SourceFile) => before[file.name] === toVersion(file);
  const complete = files.filter(isComplete);
  const growing = files.filter((file) => !isComplete(file));
  const fetched = await handleFiles(source, complete, {
    run,
    doneMax: filesPerPoll,
    handle: (file) => receiveFile(service, open, { source, file, clock: run.clock }),
  });
  const imported = archivesFiles ? listed.filter((file) => isImported(known.get(toFileKey(file)))) : [];
  const archived = await handleFiles(source, imported, { run, handle: (file) => source.archive(file) });
  const waiting = complete.slice(fetched.done.length + fetched.failed.length);
  // Keeps the complete files that are left for the next poll, so that it does not wait for them to settle
  // again.
  const remaining = [...growing, ...fetched.failed, ...waiting];
  const next = Object.fromEntries(remaining.map((file) => [file.name, toVersion(file)]));
  const hasFetched = fetched.done.length > 0;
  const isSoon = growing.length + waiting.length > 0 || (archivesFiles && hasFetched);
  const soonMs = hasFetched && waiting.length > 0 ? 0 : settleMs;
  return {
    pollState: { growing: next },
    error: fetched.error ?? archived.error,
    // After a lost connection, the next poll waits longer.
    ...(source.isOpen() && { nextInMs: isSoon ? soonMs : getPollIntervalMs(settings) }),
  };
}

/**
 * Handles the files in order, up to `doneMax`, until the connection is lost. A file that fails does not stop the
 * others; the first error is returned.
 */
async function handleFiles(
  source: FileSource,
  files: readonly SourceFile[],
  options: { run: PollRun; doneMax?: number; handle: (file: SourceFile) => Promise<unknown> },
): Promise<{ done: SourceFile[]; failed: SourceFile[]; error: PullError | undefined }> {
  const { run, doneMax = files.length, handle } = options;
  const done: SourceFile[] = [];
  const failed: SourceFile[] = [];
  let error: PullError | undefined;
  for (const file of files) {
    if (run.signal.aborted || !source.isOpen()) break;
    if (done.length === doneMax || failed.length === failuresPerPoll) break;
    try {
      await handle(file);
      done.push(file);
    } catch (cause) {
      if (!(cause instanceof PullError) && isUnavailable(cause)) throw cause;
      error ??= toPullError(cause as Error, run, file.name);
      failed.push(file);
    }
  }
  return { done, failed, error };
}

/** Returns the complete files whose names match a pattern. Regularly yields, because a folder may have many files. */
async function selectFiles(files: readonly SourceFile[], patterns: readonly string[]): Promise<SourceFile[]> {
  const selected: SourceFile[] = [];
  for (const [i, file] of files.entries()) {
    if (i % 100 === 99) await setImmediate();
    const { name, size } = file;
    if (size === 0 || isUnfinishedName(name)) continue;
    if (patterns.some((pattern) => matchesFileName(name, pattern))) selected.push(file);
  }
  return selected;
}

function toVersion({ size, modifiedAt }: SourceFile): string {
  return `${size} ${modifiedAt.getTime()}`;
}

function toFileKey(file: SourceFile): string {
  return `${toVersion(file)} ${file.name}`;
}

/** Returns the listed files whose current version was fetched, with the status of their deliveries. */
async function findKnownFiles(
  { prisma }: Service,
  { feed }: OpenBankFeed,
  listed: readonly SourceFile[],
): Promise<Map<string, KnownFile>> {
  const rows = await prisma.feedDelivery.findMany({
    where: {
      feedId: feed.id,
      fileName: { in: listed.map(({ name }) => name) },
      fileModifiedAt: { not: null },
    },
    select: { fileName: true, size: true, fileModifiedAt: true, status: true },
    orderBy: { id: 'asc' },
  });
  return new Map(
    rows.map((row) => [
      toFileKey({ name: row.fileName!, size: row.size, modifiedAt: row.fileModifiedAt! }),
      row,
    ]),
  );
}

/** Files whose import failed are not archived, so that they can be fetched again. */
function isImported(file: KnownFile | undefined): boolean {
  return file?.status === 'processed' || file?.status === 'ignored';
}

/**
 * Opens the folder of a feed with files, local or on an SFTP server. OpenPGP files are decrypted and verified while
 * they are read.
 */
async function openFileSource(
  { settings: { feedDir, allowPrivateTargets }, secrets }: Service,
  { feed, settings }: OpenBankFeed,
): Promise<FileSource> {
  const credentials = await decryptFeedCredentials(secrets, feed);
  const source =
    feed.kind === 'folder'
      ? await openFolder(feedDir, feed.id)
      : await openSftp({ pull: settings.pull ?? {}, credentials, allowPrivateTargets });
  return { ...source, read: (file) => decryptFile(file.name, source.read(file), credentials) };
}
