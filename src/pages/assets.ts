import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { CompressedFile } from '../http/send-compressed.ts';

/** A file that pages load. Its name contains a hash of its content, so browsers may cache it forever. */
type Asset = CompressedFile & { path: string; type: string };

export type Assets = {
  /**
   * The stylesheet is inlined into each page, so that the first paint needs no other file. `cspSource` is the hash of
   * `text` in CSP syntax.
   */
  style: { text: string; cspSource: string };
  /** Returns the URL path of a file by its source name, such as `icon.svg` or `main.ts`. */
  getPath: (sourceName: string) => string;
  /** Returns the URL paths of the modules that a script imports, directly or indirectly. */
  getImports: (script: string) => string[];
  all: Asset[];
};

const pathPrefix = '/assets/';
const scriptFolder = join(import.meta.dirname, 'script');
const styleFolder = join(import.meta.dirname, 'style');
/** The stylesheets, in the order of the cascade. */
const styleFiles = ['base.css', 'notice.css', 'checkout.css', 'choose.css', 'pay.css', 'subscription.css'];
const importPattern = /(from\s+|import\s+)'\.\/([\w-]+\.ts)'/g;

/**
 * Reads all assets of the pages. Type annotations are stripped from the scripts; there is no bundler.
 * Browsers load the scripts as modules, so imports are rewritten to the hashed paths.
 */
export function loadAssets(): Assets {
  const bySource = new Map<string, Asset>();
  const imports = new Map<string, string[]>();
  const css = styleFiles.map((name) => readFileSync(join(styleFolder, name), 'utf8')).join('\n');
  const icon = readFileSync(join(styleFolder, 'icon.svg'), 'utf8');
  bySource.set('icon.svg', createAsset('icon.svg', 'image/svg+xml', icon));

  const addScript = (name: string): Asset => {
    const existing = bySource.get(name);
    if (existing) return existing;
    const source = readFileSync(join(scriptFolder, name), 'utf8');
    const importedNames = [...source.matchAll(importPattern)].map((match) => match[2] ?? '');
    const script = stripTypes(source).replaceAll(
      importPattern,
      (_, keyword: string, importedName: string) => `${keyword}'${addScript(importedName).path}'`,
    );
    const asset = createAsset(name.replace(/ts$/, 'js'), 'text/javascript; charset=utf-8', script);
    imports.set(name, [...new Set(importedNames.flatMap((other) => [other, ...(imports.get(other) ?? [])]))]);
    bySource.set(name, asset);
    return asset;
  };
  for (const name of readdirSync(scriptFolder)) addScript(name);

  const getPath = (sourceName: string): string => {
    const asset = bySource.get(sourceName);
    if (!asset) throw new Error(`there is no page asset ${sourceName}`);
    return asset.path;
  };
  return {
    style: { text: css, cspSource: toCspSource(css) },
    getPath,
    getImports: (script) => (imports.get(script) ?? []).map(getPath),
    all: [...bySource.values()],
  };
}

/** Returns the hash of an inline style in CSP syntax. */
export function toCspSource(css: string): string {
  return `'sha256-${createHash('sha256').update(css).digest('base64')}'`;
}

/** Suppresses the warning of Node.js that this feature is experimental, because operators cannot act on it. */
export function stripTypes(script: string): string {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return stripTypeScriptTypes(script);
  } finally {
    process.emitWarning = emitWarning;
  }
}

function createAsset(name: string, type: string, text: string): Asset {
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, 12);
  const [stem, extension] = name.split('.');
  // An object spread would call the getters, which compress the file.
  return Object.assign(toCompressedFile(text), { path: `${pathPrefix}${stem}.${hash}.${extension}`, type });
}

/** Returns the text with its gzip and Brotli encodings, each compressed on first use. */
export function toCompressedFile(text: string): CompressedFile {
  const body = Buffer.from(text);
  let gzip: Buffer | undefined;
  let br: Buffer | undefined;
  return {
    body,
    get gzip() {
      gzip ??= gzipSync(body, { level: 9 });
      return gzip;
    },
    get br() {
      br ??= brotliCompressSync(body);
      return br;
    },
  };
}
