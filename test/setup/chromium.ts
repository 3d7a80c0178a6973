import { createReadStream, createWriteStream } from 'node:fs';
import { access, chmod, mkdir, readFile, rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { createBrotliDecompress } from 'node:zlib';
import { type Browser, chromium } from 'playwright-core';

/** A host name of this machine. Over HTTP, browsers treat it like any other site, unlike localhost. */
export const testHost = 'causeway.test';

/**
 * Chromium’s sandbox does not work for root and in containers. The tests need none, because Chromium opens our own
 * pages only and reaches no other host.
 */
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--font-render-hinting=none',
  `--host-resolver-rules=MAP ${testHost} 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost`,
];

/** Starts headless Chromium with the fonts of all languages of the pages. */
export async function launchChromium(extraArgs: string[] = []): Promise<Browser> {
  const configuredPath = process.env.CHROMIUM;
  const executablePath = configuredPath || (await unpackChromium());
  const env = { ...process.env, FONTCONFIG_FILE: join(import.meta.dirname, 'fonts.conf') };
  return chromium.launch({ executablePath, args: [...args, ...extraArgs], env });
}

/**
 * Unpacks the browser of the npm package once per version. With the package’s own function, a second process could run
 * an incomplete file.
 */
async function unpackChromium(): Promise<string> {
  const root = dirname(dirname(dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium')))));
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  const folder = join(tmpdir(), `causeway-chromium-${version}-${process.getuid?.() ?? 0}`);
  const path = join(folder, 'chromium');
  const exists = await access(path).then(
    () => true,
    () => false,
  );
  if (exists) return path;
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
