import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const brotliAsync = promisify(brotliCompress);
const gzipAsync = promisify(gzip);
/** Higher qualities take seconds and save about one percent. */
const brotliQuality = 9;
const compressible = /\.(?:html|css|js|json|svg|xml)$/;

/**
 * Writes a Brotli and a gzip file for each text file, and the hashes of inline scripts, which the content security
 * policy allows.
 */
export async function finishSite(folder: string): Promise<void> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => compressible.test(name));
  const hashes = new Set<string>();
  await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const content = await readFile(path);
      if (name.endsWith('.html')) for (const hash of hashInlineScripts(content.toString())) hashes.add(hash);
      const params = { [constants.BROTLI_PARAM_QUALITY]: brotliQuality };
      await writeFile(`${path}.br`, await brotliAsync(content, { params }));
      await writeFile(`${path}.gz`, await gzipAsync(content, { level: 9 }));
    }),
  );
  await writeFile(join(folder, 'script-hashes.json'), JSON.stringify([...hashes].sort()));
}

function hashInlineScripts(html: string): string[] {
  const scripts = html.matchAll(
    /<script(?![^>]*\ssrc=)(?![^>]*application\/ld\+json)[^>]*>([\s\S]*?)<\/script>/g,
  );
  return [...scripts].map(([, text = '']) => `sha256-${createHash('sha256').update(text).digest('base64')}`);
}
