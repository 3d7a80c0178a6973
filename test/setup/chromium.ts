import { createReadStream, createWriteStream } from 'node:fs';
import { access, chmod, mkdir, readFile, rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { createBrotliDecompress } from 'node:zlib';
import { type Browser, chromium } from 'playwright-core';

/** A name of this machine: of what comes from it over http browsers think as of any other site. */
export const namedHost = 'causeway.test';

/** Root and containers have no sandbox of Chromium's; it only ever opens our own pages, and reaches no other host. */
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--font-render-hinting=none',
  `--host-resolver-rules=MAP ${namedHost} 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost`,
];

/** Starts Chromium without a window. `env`: for its fonts. `more`: arguments of its command line. */
export async function launchChromium(
  env: Record<string, string> = {},
  more: string[] = [],
): Promise<Browser> {
  const given = process.env.CHROMIUM;
  const executablePath = given || (await unpackChromium());
  return chromium.launch({ executablePath, args: [...args, ...more], env: { ...process.env, ...env } });
}

/**
 * Unpacks the browser of the npm package once a version. The package's own way would let a second process run a file the
 * first is still writing.
 */
async function unpackChromium(): Promise<string> {
  const root = dirname(dirname(dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium')))));
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  const folder = join(tmpdir(), `causeway-chromium-${version}-${process.getuid?.() ?? 0}`);
  const path = join(folder, 'chromium');
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  if (isThere) return path;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const partial = `${path}.${process.pid}`;
  await pipeline(
    createReadStream(join(root, 'bin', 'chromium.br')),
    createBrotliDecompress(),
    createWriteStream(partial),
  );
  await chmod(partial, 0o700);
  await rename(partial, path);
  return path;
}
