import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * The user that PostgreSQL's programs run as; they do not run as root. If Causeway runs as root, they run in a user
 * namespace, in which root appears as an ordinary user and the files still belong to root. Alternatively, they run as
 * an existing user: the owner of existing data, or `nobody`. No system user is created.
 */
export type RunAs = { kind: 'self' } | { kind: 'namespace' } | { kind: 'user'; uid: number; gid: number };

/** The result of a program: its exit code (null: killed by a signal or not started) and its whole output. */
export type RunResult = { code: number | null; output: string };

// Inside the namespace, root appears as this ordinary user, which needs no entry in the user database.
const unshareArguments = ['--user', '--map-user=1000', '--map-group=1000', '--'];

/** Runs a program to its end. Never throws: the output contains the error. */
export async function run(runAs: RunAs, program: string, args: string[]): Promise<RunResult> {
  const command =
    runAs.kind === 'namespace' ? ['unshare', ...unshareArguments, program, ...args] : [program, ...args];
  const [file = '', ...rest] = command;
  let output = '';
  try {
    const child = spawn(file, rest, {
      stdio: ['ignore', 'pipe', 'pipe'],
      // The program has its own session, so that Ctrl-C reaches only this process, which stops PostgreSQL after its own
      // last query.
      detached: true,
      cwd: '/',
      // No other variables are inherited, because the programs obey PGDATA, PGPORT and similar variables. LC_ALL keeps
      // messages in English.
      env: { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C' },
      ...(runAs.kind === 'user' ? { uid: runAs.uid, gid: runAs.gid } : {}),
    });
    child.stdout.on('data', (chunk: Buffer) => (output += chunk));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk));
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, output };
  } catch (error) {
    return { code: null, output: output + (error as Error).message };
  }
}

/** Returns whether programs can run this way: containers may forbid namespaces, or changing the user. */
export async function isSupported(runAs: RunAs): Promise<boolean> {
  return (await run(runAs, 'true', [])).code === 0;
}

/** Returns whether the user can access the folder and all its parents. */
export async function canEnter(runAs: RunAs, folder: string): Promise<boolean> {
  return (await run(runAs, 'sh', ['-c', 'cd -- "$1"', 'sh', folder])).code === 0;
}

/** Returns the user `nobody` of this machine, or null if there is none. */
export async function findNobody(): Promise<RunAs | null> {
  const ids = await Promise.all(['-u', '-g'].map((flag) => run({ kind: 'self' }, 'id', [flag, 'nobody'])));
  const [uid, gid] = ids.map(({ code, output }) => (code === 0 ? Number(output) : Number.NaN));
  if (!Number.isSafeInteger(uid) || !Number.isSafeInteger(gid)) return null;
  return { kind: 'user', uid: uid!, gid: gid! };
}

/**
 * Changes the owner of a folder and its contents to the PostgreSQL user. Does nothing unless this process runs as root.
 */
export async function changeOwner(runAs: RunAs, path: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const owner = runAs.kind === 'user' ? `${runAs.uid}:${runAs.gid}` : '0:0';
  // -h changes the link itself, never its target.
  const { code, output } = await run({ kind: 'self' }, 'chown', ['-Rh', owner, path]);
  if (code !== 0)
    throw new Error(`Cannot change the owner of ${path} to the PostgreSQL user: ${output.trim()}`);
}
