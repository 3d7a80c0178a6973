import { setImmediate } from 'node:timers/promises';
import type { FeedDelivery } from '../../../../prisma/client/client.ts';
import { decryptFile } from '../../../feed/pull/decrypt-file.ts';
import { type FileSource, isUnfinishedName, type SourceFile } from '../../../feed/pull/file-source.ts';
import { matchesFileName } from '../../../feed/pull/match-file-name.ts';
import { openFolder } from '../../../feed/pull/open-folder.ts';
import { openSftp } from '../../../feed/pull/open-sftp.ts';
import { secondMs } from '../../../kit/duration.ts';
import type { Service } from '../../platform/service.ts';
import { decryptFeedCredentials, type OpenBankFeed } from './open-bank-feed.ts';
import type { PollOutcome, PollRun } from './poll-run.ts';
import { receiveFile } from './receive-file.ts';

/** The maximum number of files of one poll. If there are more, the next poll follows immediately. */
const filesPerPoll = 10;
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
  let count = 0;
  for (const file of complete.slice(0, filesPerPoll)) {
    if (run.signal.aborted) break;
    await receiveFile(service, open, { source, file, clock: run.clock });
    count += 1;
  }
  if (archivesFiles) await archiveImported(source, listed, { known, signal: run.signal });
  // Keeps the complete files that are left for the next poll, so that it does not wait for them to settle
  // again.
  const remaining = [...growing, ...complete.slice(count)];
  const next = Object.fromEntries(remaining.map((file) => [file.name, toVersion(file)]));
  const nextInMs = count < complete.length ? 0 : settleMs;
  return {
    pollState: { growing: next },
    ...((remaining.length > 0 || (archivesFiles && count > 0)) && { nextInMs }),
  };
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

/** Moves the files whose import has finished. Those that failed stay, so that they can be fetched again. */
async function archiveImported(
  source: FileSource,
  listed: readonly SourceFile[],
  { known, signal }: { known: ReadonlyMap<string, KnownFile>; signal: AbortSignal },
): Promise<void> {
  for (const file of listed) {
    if (signal.aborted) return;
    const status = known.get(toFileKey(file))?.status;
    if (status === 'processed' || status === 'ignored') await source.archive(file);
  }
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
