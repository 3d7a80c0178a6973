import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { acquireFileLock } from '../kit/embedded-postgres/file-lock.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const sourceFolder = join(root, 'src/dashboard');
/** The folders of the Markdown files that the dashboard shows as help. */
const guideFolders = ['docs/guides', 'docs/operations', 'docs/reference'].map((folder) => join(root, folder));
/** The only files outside of `sourceFolder` that the dashboard imports. */
export const sharedSources = [
  'src/domain/payouts/export/default-xero-codes.ts',
  'src/event/catalog.ts',
  'src/kit/brand-colors.ts',
  'src/kit/currency.ts',
  'src/kit/duration.ts',
  'src/kit/local-time.ts',
  'src/kit/typed-number.ts',
  'src/language/country-language.ts',
  'src/language/fill-text.ts',
  'src/language/format-currency.ts',
  'src/language/format-name.ts',
  'src/language/format-own-reference.ts',
  'src/method/catalog.ts',
  'src/method/country-time-zones.ts',
  'src/method/emv.ts',
  'src/method/sort-by-country.ts',
];
/** The build script and the files that it imports, which also affect the bundle. */
export const bundlerSources = [
  'src/dashboard-server/bundle-dashboard.ts',
  'src/dashboard-server/guides-plugin.ts',
  'src/dashboard-server/placeholders.ts',
] as const;
const buildScript = join(root, bundlerSources[0]);
const otherSources = ['package-lock.json', ...bundlerSources, ...sharedSources].map((file) =>
  join(root, file),
);

const lockWaitMs = 120_000;
const hashLength = 16;

type BuildDashboardOptions = {
  onProgress?: (line: string) => void;
  /** The folder of all bundles, each in a subfolder named by the hash of its sources. */
  distFolder?: string;
  /** Cancels the build. */
  signal?: AbortSignal;
};

/**
 * Returns the folder of the dashboard's bundle. If the sources have changed, builds the bundle first; concurrent
 * processes wait for one build. A bundle is written to a temporary folder, which is then renamed, so an existing
 * folder is complete. The bundler runs in a separate process, because the service would not get its memory back.
 */
export async function buildDashboard(options: BuildDashboardOptions = {}): Promise<string> {
  const { onProgress = () => {}, distFolder = join(root, 'dist/dashboard') } = options;
  const hash = await hashSources();
  const folder = join(distFolder, hash);
  if (existsSync(folder)) return folder;
  await mkdir(distFolder, { recursive: true });
  const lock = await acquireFileLock(join(distFolder, '.lock'), { waitMs: lockWaitMs });
  if (!lock) throw new Error('Timed out waiting for another process to build the dashboard');
  try {
    if (existsSync(folder)) return folder;
    onProgress('Building the dashboard');
    const tempFolder = join(distFolder, '.unfinished');
    await rm(tempFolder, { recursive: true, force: true });
    await bundle(tempFolder, options.signal);
    await rename(tempFolder, folder);
    await removeStaleBundles(distFolder, hash);
    return folder;
  } finally {
    lock.release();
  }
}

async function hashSources(): Promise<string> {
  const folders = await Promise.all([sourceFolder, ...guideFolders].map(listFiles));
  const files = [...folders.flat(), ...otherSources].sort();
  const contents = await Promise.all(files.map((file) => readFile(file)));
  const hash = createHash('sha256');
  for (const [i, file] of files.entries()) {
    const content = contents[i]!;
    hash.update(`${file.slice(root.length)} ${content.length}\n`).update(content);
  }
  return hash.digest('hex').slice(0, hashLength);
}

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

async function bundle(outFolder: string, signal: AbortSignal | undefined): Promise<void> {
  const child = spawn(process.execPath, [buildScript, outFolder], {
    // Builds for production even in a test: React's development build is several times slower, and later
    // processes reuse the bundle.
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(signal && { signal }),
  });
  const exited = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  const [code, errorOutput] = await Promise.all([exited, text(child.stderr)]);
  if (code !== 0) throw new Error(`The dashboard could not be built:\n${errorOutput.trim()}`);
}

/** Removes the bundles of earlier sources. Processes that serve such a bundle have it in memory. */
async function removeStaleBundles(distFolder: string, hash: string): Promise<void> {
  const names = await readdir(distFolder);
  const staleNames = names.filter((name) => name !== hash && !name.startsWith('.'));
  await Promise.all(staleNames.map((name) => rm(join(distFolder, name), { recursive: true, force: true })));
}
