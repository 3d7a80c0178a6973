import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * As whom PostgreSQL's programs run. They refuse to run as root, and no system user may be made for them, so root lets
 * them run in a user namespace, where the same root is seen as an ordinary user and files stay root's, or as an
 * existing user: the owner of the data that is there, else `nobody`.
 */
export type RunAs = { kind: 'self' } | { kind: 'namespace' } | { kind: 'user'; uid: number; gid: number };

/** How a program ended: its exit code (null: by a signal or not started at all) and all that it printed. */
export type RunResult = { code: number | null; output: string };

// In the namespace root is seen as this ordinary user; the number needs no entry in any list of users.
const unshareArguments = ['--user', '--map-user=1000', '--map-group=1000', '--'];

/** Runs a program to its end. Never throws: what went wrong stands in the output. */
export async function run(runAs: RunAs, program: string, args: string[]): Promise<RunResult> {
  const command =
    runAs.kind === 'namespace' ? ['unshare', ...unshareArguments, program, ...args] : [program, ...args];
  const [file = '', ...rest] = command;
  let output = '';
  try {
    const child = spawn(file, rest, {
      stdio: ['ignore', 'pipe', 'pipe'],
      // Its own session: Ctrl-C reaches us alone, and we stop PostgreSQL after our own last query.
      detached: true,
      cwd: '/',
      // Nothing of the caller's: PGDATA, PGPORT and their like would be obeyed. LC_ALL keeps messages in English.
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

/** Whether this kind works here at all: containers may forbid namespaces, or changing the user. */
export async function isSupported(runAs: RunAs): Promise<boolean> {
  return (await run(runAs, 'true', [])).code === 0;
}

/** Whether that user gets through all folders down to this one. */
export async function canEnter(runAs: RunAs, folder: string): Promise<boolean> {
  return (await run(runAs, 'sh', ['-c', 'cd -- "$1"', 'sh', folder])).code === 0;
}

/** The user `nobody` of this machine, or null where there is none. */
export async function findNobody(): Promise<RunAs | null> {
  const ids = await Promise.all(['-u', '-g'].map((flag) => run({ kind: 'self' }, 'id', [flag, 'nobody'])));
  const [uid, gid] = ids.map(({ code, output }) => (code === 0 ? Number(output) : Number.NaN));
  if (!Number.isSafeInteger(uid) || !Number.isSafeInteger(gid)) return null;
  return { kind: 'user', uid: uid!, gid: gid! };
}

/** Gives a folder and all in it to the user PostgreSQL runs as; nothing to do where files are our own. */
export async function changeOwner(runAs: RunAs, path: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const owner = runAs.kind === 'user' ? `${runAs.uid}:${runAs.gid}` : '0:0';
  // -h: a link is given away itself, never what it points to.
  const { code, output } = await run({ kind: 'self' }, 'chown', ['-Rh', owner, path]);
  if (code !== 0)
    throw new Error(`Cannot change the owner of ${path} to the PostgreSQL user: ${output.trim()}`);
}
