import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { minuteMs } from '../src/kit/duration.ts';
import type { Mutant } from '../test/mutants/mutant.ts';

/**
 * The result of a test run: the titles of failed tests, and the files with failures, including those that
 * failed to load.
 */
export type TestRun = { failed: string[]; failedFiles: string[]; timedOut: boolean };

/** Longer than any named test file takes; a mutant may block its test forever. */
const fileTimeoutMs = 3 * minuteMs;

type VitestJson = {
  testResults: {
    name: string;
    status: string;
    assertionResults: { fullName: string; status: string }[];
  }[];
};

/**
 * A copy of the work tree in a temporary folder, to which mutants are applied. The work tree itself never
 * changes.
 */
export class MutantCopy {
  readonly folder = mkdtempSync(join(tmpdir(), 'causeway-mutants-'));
  #running: ChildProcess | undefined;

  constructor(root: string) {
    const trackedFiles = execFileSync(
      'git',
      ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
      {
        cwd: root,
        encoding: 'utf8',
        maxBuffer: 2 ** 26,
      },
    );
    // Git also lists deleted files while the deletion is not committed.
    for (const file of trackedFiles.split('\0').filter((file) => file !== '' && existsSync(join(root, file))))
      cpSync(join(root, file), join(this.folder, file));
    cpSync(join(root, 'prisma/client'), join(this.folder, 'prisma/client'), { recursive: true });
    // A separate folder, because its cache holds the template database, and the work tree may have other
    // migrations.
    mkdirSync(join(this.folder, 'node_modules'));
    for (const name of readdirSync(join(root, 'node_modules')).filter((name) => name !== '.cache'))
      symlinkSync(join(root, 'node_modules', name), join(this.folder, 'node_modules', name));
  }

  /** Applies mutants that do not overlap, runs `work`, and restores the files. */
  async withMutants<Result>(mutants: readonly Mutant[], work: () => Promise<Result>): Promise<Result> {
    const byFile = Map.groupBy(mutants, ({ file }) => join(this.folder, file));
    const originals = new Map([...byFile.keys()].map((path) => [path, readFileSync(path, 'utf8')]));
    try {
      for (const [path, fileMutants] of byFile)
        writeFileSync(path, applyMutants(originals.get(path) ?? '', fileMutants));
      return await work();
    } finally {
      for (const [path, text] of originals) writeFileSync(path, text);
    }
  }

  async compiles(): Promise<boolean> {
    return (await this.#node(['typescript/bin/tsc', '--noEmit'], fileTimeoutMs)) === 0;
  }

  /** Runs all tests of the files, with `bail` until the first failure. */
  async test(files: readonly string[], { bail }: { bail: boolean }): Promise<TestRun> {
    const report = join(this.folder, '.test-report.json');
    rmSync(report, { force: true });
    const options = [
      '--reporter=json',
      `--outputFile=${report}`,
      ...(bail ? ['--bail=1', '--maxWorkers=1'] : []),
    ];
    const timeoutMs = files.length * fileTimeoutMs;
    const status = await this.#node(['vitest/vitest.mjs', 'run', ...options, ...files], timeoutMs);
    if (status === undefined) return { failed: [], failedFiles: [], timedOut: true };
    if (!existsSync(report)) return { failed: [], failedFiles: [...files], timedOut: false };
    const { testResults }: VitestJson = JSON.parse(readFileSync(report, 'utf8'));
    return {
      failed: testResults.flatMap(({ assertionResults }) =>
        assertionResults.filter((one) => one.status === 'failed').map(({ fullName }) => fullName),
      ),
      failedFiles: testResults
        .filter((one) => one.status === 'failed')
        .map(({ name }) => relative(this.folder, name)),
      timedOut: false,
    };
  }

  remove(): void {
    this.#interrupt();
    // Interrupted processes may still be writing.
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 20 });
  }

  /** Returns the exit status; undefined on timeout. */
  async #node([script = '', ...args]: string[], timeoutMs: number): Promise<number | undefined> {
    const child = spawn(process.execPath, [join('node_modules', script), ...args], {
      cwd: this.folder,
      stdio: 'ignore',
      env: { ...process.env, NODE_COMPILE_CACHE: join(this.folder, 'node_modules/.cache/tests') },
      // A separate process group, because the compiler and the tests start child processes that are
      // interrupted with them.
      detached: true,
    });
    this.#running = child;
    const { promise, resolve } = Promise.withResolvers<number | undefined>();
    const timer = setTimeout(() => {
      this.#interrupt();
      resolve(undefined);
    }, timeoutMs);
    child.once('error', () => resolve(undefined));
    child.once('exit', (code) => {
      this.#running = undefined;
      resolve(code ?? 1);
    });
    return promise.finally(() => clearTimeout(timer));
  }

  #interrupt(): void {
    if (this.#running?.pid !== undefined) process.kill(-this.#running.pid, 'SIGINT');
    this.#running = undefined;
  }
}

/**
 * Locates each mutant in the original, because the text that another mutant inserts may also contain its
 * `find` text.
 */
function applyMutants(original: string, mutants: readonly Mutant[]): string {
  return mutants
    .map(({ find, replace }) => ({ from: original.indexOf(find), length: find.length, replace }))
    .sort((a, b) => b.from - a.from)
    .reduce(
      (text, { from, length, replace }) => text.slice(0, from) + replace + text.slice(from + length),
      original,
    );
}
