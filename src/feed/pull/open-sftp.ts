import { hash } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { posix } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import SftpClient from 'ssh2-sftp-client';
import { secondMs } from '../../kit/duration.ts';
import { timedOut, withTimeout } from '../../kit/with-timeout.ts';
import {
  createGuardedLookup,
  createHostResolver,
  isBlockedAddress,
  privateAddressError,
} from '../../notification/guarded-lookup.ts';
import type { FeedCredentials } from '../authentication.ts';
import { archiveFolder, type FileSource, type SourceFile, toArchiveName } from './file-source.ts';
import { PullError } from './pull-error.ts';
import type { FeedPullSettings } from './pull-settings.ts';

type SftpOptions = {
  pull: Pick<FeedPullSettings, 'host' | 'port' | 'folder' | 'hostKeyFingerprint'>;
  credentials: FeedCredentials;
  allowPrivateTargets: boolean;
  /** The time limit for one response of the server, or for the next part of a file. */
  answerMs?: number;
};

type SftpSession = Awaited<ReturnType<SftpClient['connect']>>;

const defaultAnswerMs = 30 * secondMs;
/** A folder may contain more entries, but only these are listed. */
const entriesMax = 50_000;
/** The status `SSH_FX_EOF`, with which a server ends a list. */
const endOfList = 1;

/** Returns the fingerprint of a host key as `ssh-keygen -l` prints it. */
function toHostKeyFingerprint(key: Buffer): string {
  return `SHA256:${hash('sha256', key, 'base64').replaceAll('=', '')}`;
}

/**
 * Opens a folder of an SFTP server. The server must present the approved host key before it receives the login, and
 * a private address is rejected at each connection unless allowed. If the host key is not approved, the error has
 * its fingerprint.
 */
export async function openSftp(options: SftpOptions): Promise<FileSource> {
  const { pull, credentials, answerMs = defaultAnswerMs } = options;
  const { host = '', port = 22, folder = '.' } = pull;
  const socket = await openSocket({ host, port }, options);
  // Errors reject the calls that are in progress; the client reports others only here.
  const ignore = () => {};
  const client = new SftpClient('feed', { error: ignore, end: ignore, close: ignore });
  let presentedHostKeyFingerprint: string | undefined;
  const call = <T>(work: Promise<T>) => limitTime(work, answerMs, socket);
  const login = client.connect({
    sock: socket,
    username: credentials.username ?? '',
    ...(credentials.privateKey
      ? { privateKey: credentials.privateKey, passphrase: credentials.passphrase ?? '' }
      : { password: credentials.key ?? '' }),
    readyTimeout: answerMs,
    hostVerifier: (key: Buffer) => {
      presentedHostKeyFingerprint = toHostKeyFingerprint(key);
      return presentedHostKeyFingerprint === pull.hostKeyFingerprint;
    },
  });
  const sftp = await call(login).catch((error: Error) => {
    socket.destroy();
    throw toLoginError(error, pull.hostKeyFingerprint, presentedHostKeyFingerprint);
  });
  // A request on a closed channel would never be answered.
  sftp.once('end', () => socket.destroy());
  const path = (...names: string[]) => posix.join(folder, ...names);
  return {
    list: () => listFiles(sftp, path(), call),
    read: (file) => readFile(() => client.createReadStream(path(file.name)), file, { answerMs, socket }),
    archive: (file) => archiveFile(client, file, path, call),
    isOpen: () => !socket.destroyed,
    async close() {
      await withTimeout(answerMs, client.end().catch(ignore));
      socket.destroy();
    },
  };
}

async function openSocket(
  { host, port }: { host: string; port: number },
  { allowPrivateTargets, answerMs = defaultAnswerMs }: SftpOptions,
): Promise<Socket> {
  if (isBlockedAddress(host, { allowPrivateTargets }))
    throw new PullError('connection_failed', privateAddressError);
  const lookup = createGuardedLookup(createHostResolver(), { allowPrivateTargets });
  const socket = connect({ host, port, lookup });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(answerMs) });
  } catch (cause) {
    socket.destroy();
    const { name, code, message } = cause as NodeJS.ErrnoException;
    if (name === 'AbortError') throw new PullError('timeout', `${host} does not answer`, { cause });
    throw new PullError(
      'connection_failed',
      code === 'ADDRESS_NOT_ALLOWED' ? message : `${code ?? message}`,
      {
        cause,
      },
    );
  }
  // An error of an open socket is reported by the call that it interrupts.
  socket.on('error', () => {});
  return socket;
}

function toLoginError(cause: Error, approved: string | undefined, presented: string | undefined): PullError {
  if (presented !== undefined && presented !== approved) {
    const error =
      approved === undefined
        ? new PullError('host_key_unapproved', presented, { cause })
        : new PullError('host_key_changed', presented, { cause });
    error.hostKeyFingerprint = presented;
    return error;
  }
  if (cause instanceof PullError) return cause;
  if (/authentication|privateKey|passphrase/i.test(cause.message))
    return new PullError('login_rejected', shorten(cause), { cause });
  return new PullError('connection_failed', shorten(cause), { cause });
}

/** Rejects after the time limit, and closes the connection, which ends all pending calls. */
async function limitTime<T>(work: Promise<T>, ms: number, socket: Socket): Promise<T> {
  // After a timeout, the work fails too, but the timeout has already been reported.
  work.catch(() => {});
  const result = await withTimeout(ms, work);
  if (result !== timedOut) return result;
  socket.destroy();
  throw new PullError('timeout', `no response within ${ms / secondMs} s`);
}

type Call = <T>(work: Promise<T>) => Promise<T>;

async function listFiles(sftp: SftpSession, folder: string, call: Call): Promise<SourceFile[]> {
  const entries = await call(readEntries(sftp, folder)).catch((cause: Error) => {
    if (cause instanceof PullError) throw cause;
    const isMissing = /no such|not exist|permission/i.test(cause.message);
    throw new PullError(isMissing ? 'folder_missing' : 'connection_failed', shorten(cause), { cause });
  });
  // A name with a slash would refer to a file in another folder.
  return entries
    .filter(({ longname, filename }) => longname.startsWith('-') && !/[/\0]/.test(filename))
    .map(({ filename: name, attrs: { size, mtime } }) => ({
      name,
      size,
      modifiedAt: new Date(mtime * 1000),
    }));
}

/** Reads the entries of a folder in the parts that the server sends, and stops after the maximum. */
async function readEntries(sftp: SftpSession, folder: string) {
  const handle = await promisify(sftp.opendir.bind(sftp))(folder);
  const readPart = promisify(sftp.readdir.bind(sftp));
  const entries: Awaited<ReturnType<typeof readPart>> = [];
  try {
    while (entries.length < entriesMax) entries.push(...(await readPart(handle)));
  } catch (error) {
    if ((error as { code?: unknown }).code !== endOfList) throw error;
  } finally {
    sftp.close(handle, () => {});
  }
  return entries.slice(0, entriesMax);
}

async function* readFile(
  createStream: () => NodeJS.ReadableStream,
  { name, size }: SourceFile,
  { answerMs, socket }: { answerMs: number; socket: Socket },
): AsyncGenerator<Uint8Array> {
  const readable = createStream() as Readable;
  // When the connection closes, a request that is still unanswered emits another error.
  readable.on('error', () => {});
  let timer: NodeJS.Timeout | undefined;
  let isTimedOut = false;
  const startTimer = () => {
    timer = setTimeout(() => {
      isTimedOut = true;
      // The server may never answer a request to close the file.
      socket.destroy();
    }, answerMs);
  };
  let bytesRead = 0;
  startTimer();
  try {
    for await (const chunk of readable) {
      clearTimeout(timer);
      bytesRead += chunk.length;
      yield chunk;
      startTimer();
    }
  } catch (cause) {
    if (isTimedOut) throw new PullError('timeout', `${name} stopped arriving`, { cause });
    throw new PullError('connection_failed', `${name}: ${shorten(cause as Error)}`, { cause });
  } finally {
    clearTimeout(timer);
    readable.destroy();
  }
  if (bytesRead !== size)
    throw new PullError('file_truncated', `${name} has ${size} bytes, but ${bytesRead} were transmitted`);
}

async function archiveFile(
  client: SftpClient,
  file: SourceFile,
  path: (...names: string[]) => string,
  call: Call,
): Promise<void> {
  try {
    if (!(await call(client.exists(path(archiveFolder))))) await call(client.mkdir(path(archiveFolder)));
    for (let number = 0; ; number++) {
      const target = path(archiveFolder, toArchiveName(file, number));
      if (await call(client.exists(target))) continue;
      await call(client.rename(path(file.name), target));
      return;
    }
  } catch (cause) {
    if (cause instanceof PullError) throw cause;
    throw new PullError('connection_failed', `${file.name} cannot be moved: ${shorten(cause as Error)}`, {
      cause,
    });
  }
}

/** Removes the names of internal functions, and limits what a server can put into a message. */
function shorten({ message }: Error): string {
  return message.replace(/^(?:_?\w+(?:->|: ))+/, '').slice(0, 200);
}
