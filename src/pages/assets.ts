import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { CodedFile } from '../http/send-coded.ts';

/** A file that pages load: its name changes with its content, so browsers may keep it for ever. */
type Asset = CodedFile & { path: string; type: string };

export type Assets = {
  /** Stands in each page, which then waits for nothing to be painted; let in by its hash, as CSP writes it. */
  style: { text: string; source: string };
  /** Address of a file by its source's name, such as `icon.svg` or `main.ts`. */
  pathOf: (source: string) => string;
  /** Addresses of the modules a script imports, itself left out. */
  importsOf: (script: string) => string[];
  all: Asset[];
};

const prefix = '/assets/';
const scriptFolder = join(import.meta.dirname, 'script');
const styleFolder = join(import.meta.dirname, 'style');
/** In the order of the cascade. */
const styleFiles = ['base.css', 'notice.css', 'checkout.css', 'choose.css', 'pay.css', 'subscription.css'];
const importForm = /(from\s+|import\s+)'\.\/([\w-]+\.ts)'/g;

/**
 * Reads what the pages load, once. Scripts are TypeScript of which the types are taken off; there is no bundler: the
 * browser loads them as modules, and an import names the other file by its hashed address.
 */
export function loadAssets(): Assets {
  const bySource = new Map<string, Asset>();
  const imports = new Map<string, string[]>();
  const css = styleFiles.map((name) => readFileSync(join(styleFolder, name), 'utf8')).join('\n');
  const cssHash = createHash('sha256').update(css).digest('base64');
  const icon = readFileSync(join(styleFolder, 'icon.svg'), 'utf8');
  bySource.set('icon.svg', makeAsset('icon.svg', 'image/svg+xml', icon));

  const addScript = (name: string): Asset => {
    const known = bySource.get(name);
    if (known) return known;
    const typed = readFileSync(join(scriptFolder, name), 'utf8');
    const imported = [...typed.matchAll(importForm)].map((match) => match[2] ?? '');
    const script = stripTypes(typed).replaceAll(
      importForm,
      (_, before: string, other: string) => `${before}'${addScript(other).path}'`,
    );
    const asset = makeAsset(name.replace(/ts$/, 'js'), 'text/javascript; charset=utf-8', script);
    imports.set(name, [...new Set(imported.flatMap((other) => [other, ...(imports.get(other) ?? [])]))]);
    bySource.set(name, asset);
    return asset;
  };
  for (const name of readdirSync(scriptFolder)) addScript(name);

  const pathOf = (source: string): string => {
    const asset = bySource.get(source);
    if (!asset) throw new Error(`there is no page asset ${source}`);
    return asset.path;
  };
  return {
    style: { text: css, source: `'sha256-${cssHash}'` },
    pathOf,
    importsOf: (script) => (imports.get(script) ?? []).map(pathOf),
    all: [...bySource.values()],
  };
}

/** Node says once a process that this is experimental. Whoever starts the service can do nothing about it. */
function stripTypes(script: string): string {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return stripTypeScriptTypes(script);
  } finally {
    process.emitWarning = emitWarning;
  }
}

function makeAsset(name: string, type: string, text: string): Asset {
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, 12);
  const [stem, extension] = name.split('.');
  // Not spread, which would compress it at once.
  return Object.assign(coded(text), { path: `${prefix}${stem}.${hash}.${extension}`, type });
}

/** A text as it is sent; compressed when first asked for. */
export function coded(text: string): CodedFile {
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
