import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { minuteMs } from '../../kit/duration.ts';
import type { FeedCredentials } from '../authentication.ts';

/** A file cannot be decrypted, or is not signed as required. */
export class DecryptionError extends Error {
  override readonly name = 'DecryptionError';
}

type PgpKeys = Pick<FeedCredentials, 'pgpPrivateKey' | 'pgpPassphrase' | 'pgpPublicKey'>;

const timeoutMs = 5 * minuteMs;
const unsignedError = 'it has no valid signature of the bank';

/**
 * Decrypts an OpenPGP file with `gpg`, whose keys exist only in a temporary folder; returns other files unchanged. If
 * a public key is given, every file must have a valid signature, and may be encrypted. The caller must not use the
 * content before the last byte is read, because the signature is checked at the end.
 */
export async function* decryptFile(
  name: string,
  source: AsyncIterable<Uint8Array>,
  keys: PgpKeys,
): AsyncGenerator<Uint8Array> {
  if (!/\.(?:pgp|gpg|asc)$/i.test(name)) {
    if (keys.pgpPublicKey) throw new DecryptionError(unsignedError);
    return yield* source;
  }
  if (!keys.pgpPrivateKey && !keys.pgpPublicKey)
    throw new DecryptionError('the feed has no OpenPGP key: enter the one that decrypts its files');
  const home = await mkdtemp(join(tmpdir(), 'causeway-gpg-'));
  try {
    await writeFile(join(home, 'passphrase'), keys.pgpPassphrase ?? '', { mode: 0o600 });
    if (keys.pgpPrivateKey) await importKey(home, keys.pgpPrivateKey);
    const signers = keys.pgpPublicKey ? await importKey(home, keys.pgpPublicKey) : undefined;
    yield* runDecryption(home, source, signers);
  } finally {
    // The agent that gpg started for this folder would keep running.
    await run(home, 'gpgconf', ['--kill', 'gpg-agent']).catch(() => {});
    await rm(home, { recursive: true, force: true });
  }
}

/** Imports a key, and returns the fingerprint of its primary key; a key ring contains several. */
async function importKey(home: string, key: string): Promise<string[]> {
  const options = [...toBaseOptions(home), '--status-fd', '1', '--import'];
  const { code, output } = await run(home, 'gpg', options, key);
  if (code !== 0) throw new DecryptionError('an OpenPGP key of the feed cannot be read');
  return [...output.matchAll(/^\[GNUPG:\] IMPORT_OK \d+ (\w+)$/gm)].map(([, fingerprint]) => fingerprint!);
}

function toBaseOptions(home: string): string[] {
  return [
    ...['--batch', '--no-tty', '--quiet', '--no-auto-key-retrieve', '--trust-model', 'always'],
    ...['--pinentry-mode', 'loopback', '--passphrase-file', join(home, 'passphrase')],
  ];
}

async function* runDecryption(
  home: string,
  source: AsyncIterable<Uint8Array>,
  signers: readonly string[] | undefined,
): AsyncGenerator<Uint8Array> {
  const gpg = start(home, 'gpg', [...toBaseOptions(home), '--status-fd', '2', '--decrypt']);
  const ended = once(gpg, 'close') as Promise<[number | null]>;
  let status = '';
  gpg.stderr!.on('data', (chunk) => {
    status = (status + chunk).slice(-20_000);
  });
  // An error of gpg closes its input; an error of the source is reported below.
  let sourceError: Error | undefined;
  const input = pipeline(source, gpg.stdin!).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') sourceError = error;
  });
  try {
    yield* gpg.stdout!;
    await input;
    if (sourceError) throw sourceError;
    const [code] = await ended;
    const isOnlySigned = status.includes('PLAINTEXT') && !status.includes('BEGIN_DECRYPTION');
    const isRead = status.includes('DECRYPTION_OKAY') || (signers !== undefined && isOnlySigned);
    if (code !== 0 || !isRead) throw new DecryptionError('it is damaged, or encrypted for another key');
    // The last field is the primary key, also if a subkey has signed. The feed's own key can sign too.
    const signatures = [...status.matchAll(/^\[GNUPG:\] VALIDSIG .* (\w+)$/gm)];
    if (signers && !signatures.some(([, fingerprint]) => signers.includes(fingerprint!)))
      throw new DecryptionError(unsignedError);
  } finally {
    gpg.kill('SIGKILL');
  }
}

function start(home: string, command: string, args: string[]): ChildProcess {
  const env = { PATH: process.env.PATH, GNUPGHOME: home, LC_ALL: 'C' };
  const child = spawn(command, args, { env, stdio: 'pipe', timeout: timeoutMs, killSignal: 'SIGKILL' });
  // A missing program also emits `close`; its input fails with EPIPE.
  child.on('error', () => {});
  child.stdin.on('error', () => {});
  return child;
}

async function run(
  home: string,
  command: string,
  args: string[],
  input = '',
): Promise<{ code: number | null; output: string }> {
  const child = start(home, command, args);
  let output = '';
  child.stdout!.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr!.resume();
  const failed = once(child, 'error').then(([cause]) => {
    throw new DecryptionError(`${command} is not installed on this server`, { cause });
  });
  const ended = once(child, 'close') as Promise<[number | null]>;
  ended.catch(() => {});
  child.stdin!.end(input);
  const [code] = await Promise.race([ended, failed]);
  failed.catch(() => {});
  return { code, output };
}
