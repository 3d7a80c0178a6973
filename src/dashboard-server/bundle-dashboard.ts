// Runs as a separate process: `node bundle-dashboard.ts FOLDER` writes the dashboard's bundle to the folder.

import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build, type HtmlTagDescriptor, type Plugin } from 'vite';
import { guidesPlugin } from './guides-plugin.ts';
import { noncePlaceholder } from './placeholders.ts';

/** Higher qualities take seconds and save about one percent. */
const brotliQuality = 9;

const [outFolder] = process.argv.slice(2);
if (!outFolder) throw new Error('usage: bundle-dashboard FOLDER');

await build({
  configFile: false,
  root: fileURLToPath(new URL('../dashboard', import.meta.url)),
  base: '/dashboard/',
  logLevel: 'silent',
  plugins: [
    guidesPlugin(fileURLToPath(new URL('../../docs', import.meta.url))),
    preloadPlugin('/src/dashboard/start.tsx'),
  ],
  // Replaced in each response by a nonce, which allows the style elements that components create.
  html: { cspNonce: noncePlaceholder },
  build: {
    outDir: outFolder,
    emptyOutDir: true,
    target: 'es2023',
    // The content security policy blocks data: URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});

const assets = join(outFolder, 'assets');
const brotliAsync = promisify(brotliCompress);
const gzipAsync = promisify(gzip);
// The files are compressed in parallel, on the threads of libuv.
await Promise.all(
  (await readdir(assets)).map(async (name) => {
    const path = join(assets, name);
    const content = await readFile(path);
    await writeFile(
      `${path}.br`,
      await brotliAsync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }),
    );
    await writeFile(`${path}.gz`, await gzipAsync(content, { level: 9 }));
  }),
);

/**
 * Lets browsers load the application together with the texts of the user's language. Without it, they would load it
 * only after the texts, because the main script imports it then.
 */
function preloadPlugin(module: string): Plugin {
  return {
    name: 'preload',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const start = Object.values(bundle).find(
          (file) => file.type === 'chunk' && file.facadeModuleId?.endsWith(module),
        );
        if (start?.type !== 'chunk') throw new Error(`the bundle has no chunk of ${module}`);
        const { fileName, imports } = start;
        const scripts = [fileName, ...imports].filter(
          (name) => bundle[name]?.type === 'chunk' && !bundle[name].isEntry,
        );
        const styles = scripts.flatMap((name) => [
          ...(bundle[name]?.type === 'chunk' ? (bundle[name].viteMetadata?.importedCss ?? []) : []),
        ]);
        return [
          ...scripts.map((name) => toLink('modulepreload', name)),
          ...styles.map((name) => toLink('stylesheet', name)),
        ];
      },
    },
  };
}

function toLink(rel: string, name: string): HtmlTagDescriptor {
  return { tag: 'link', attrs: { rel, crossorigin: true, href: `/dashboard/${name}` }, injectTo: 'head' };
}
