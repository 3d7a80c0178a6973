import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { minuteMs } from '../src/kit/duration.ts';
import type { Mutant } from '../test/mutants/mutant.ts';
import { copyWorkTree } from './copy-work-tree.ts';

type TestRun = {
  failedTitles: string[];
  /** The files with failed tests, and those that could not be loaded. */
  failedFiles: string[];
  hasTimedOut: boolean;
};

/** The time limit of a test file, longer than any test file takes. A mutant may block its test forever. */
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
  #child: ChildProcess | undefined;

  constructor(root: string) {
    copyWorkTree(root, this.folder);
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
    return (await this.#runNode(['typescript/bin/tsc', '--noEmit'], fileTimeoutMs)) === 0;
  }

  /** Runs the tests of the files; with `bail`, only until the first failure. */
  async test(files: readonly string[], { bail }: { bail: boolean }): Promise<TestRun> {
    const report = join(this.folder, '.test-report.json');
    rmSync(report, { force: true });
    const options = [
      '--reporter=json',
      `--outputFile=${report}`,
      ...(bail ? ['--bail=1', '--maxWorkers=1'] : []),
    ];
    const timeoutMs = files.length * fileTimeoutMs;
    const status = await this.#runNode(['vitest/vitest.mjs', 'run', ...options, ...files], timeoutMs);
    if (status === undefined) return { failedTitles: [], failedFiles: [], hasTimedOut: true };
    if (!existsSync(report)) return { failedTitles: [], failedFiles: [...files], hasTimedOut: false };
    const { testResults }: VitestJson = JSON.parse(readFileSync(report, 'utf8'));
    return {
      failedTitles: testResults.flatMap(({ assertionResults }) =>
        assertionResults.filter((assertion) => assertion.status === 'failed').map(({ fullName }) => fullName),
      ),
      failedFiles: testResults
        .filter((file) => file.status === 'failed')
        .map(({ name }) => relative(this.folder, name)),
      hasTimedOut: false,
    };
  }

  remove(): void {
    this.#interrupt();
    // The removal is retried, because interrupted processes may still be writing.
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 20 });
  }

  /** Runs a script of node_modules. Returns its exit status; undefined if it timed out or could not be started. */
  async #runNode([script = '', ...args]: string[], timeoutMs: number): Promise<number | undefined> {
    const child = spawn(process.execPath, [join('node_modules', script), ...args], {
      cwd: this.folder,
      stdio: 'ignore',
      env: { ...process.env, NODE_COMPILE_CACHE: join(this.folder, 'node_modules/.cache/tests') },
      // The process gets a group of its own, because the compiler and the tests start child processes, which must be
      // interrupted with them.
      detached: true,
    });
    this.#child = child;
    const { promise, resolve } = Promise.withResolvers<number | undefined>();
    const timer = setTimeout(() => {
      this.#interrupt();
      resolve(undefined);
    }, timeoutMs);
    child.once('error', () => resolve(undefined));
    child.once('exit', (code) => {
      this.#child = undefined;
      resolve(code ?? 1);
    });
    return promise.finally(() => clearTimeout(timer));
  }

  #interrupt(): void {
    if (this.#child?.pid !== undefined) process.kill(-this.#child.pid, 'SIGINT');
    this.#child = undefined;
  }
}

/**
 * Applies mutants that do not overlap. Each is located in the original text, because the replacement of another mutant
 * may contain its `find` text.
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
