import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { CompressedFile } from '../http/send-compressed.ts';

/** A file of the bundle in all supported encodings. */
export type BundleFile = CompressedFile & { type: string };

export type Bundle = {
  /** The HTML page with its placeholders. */
  page: string;
  /** The files by name. The names contain a hash of the content. */
  assets: ReadonlyMap<string, BundleFile>;
};

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Reads a built dashboard into memory. */
export async function readBundle(folder: string): Promise<Bundle> {
  const assetFolder = join(folder, 'assets');
  const names = (await readdir(assetFolder)).filter((name) => types[extname(name)] !== undefined);
  const read = (name: string) => readFile(join(assetFolder, name));
  const files = names.map(async (name) => {
    const [body, br, gzip] = await Promise.all([read(name), read(`${name}.br`), read(`${name}.gz`)]);
    return [name, { type: types[extname(name)]!, body, br, gzip }] as const;
  });
  const page = await readFile(join(folder, 'index.html'), 'utf8');
  return { page, assets: new Map(await Promise.all(files)) };
}
