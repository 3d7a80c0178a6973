/** A process of its own: `node bundle-dashboard.ts FOLDER` writes the dashboard's bundle there. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'vite';
import { noncePlace } from './placeholders.ts';

/** The next steps cost seconds and save a hundredth. */
const brotliQuality = 9;

const [outFolder] = process.argv.slice(2);
if (!outFolder) throw new Error('usage: bundle-dashboard FOLDER');

await build({
  configFile: false,
  root: fileURLToPath(new URL('../dashboard', import.meta.url)),
  base: '/dashboard/',
  logLevel: 'silent',
  // Replaced in each answer: style elements that the components make are let in by it.
  html: { cspNonce: noncePlace },
  build: {
    outDir: outFolder,
    emptyOutDir: true,
    target: 'es2023',
    // The content security policy lets no data: address in.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});

const assets = join(outFolder, 'assets');
for (const name of readdirSync(assets)) {
  const content = readFileSync(join(assets, name));
  const quality = { [constants.BROTLI_PARAM_QUALITY]: brotliQuality };
  writeFileSync(join(assets, `${name}.br`), brotliCompressSync(content, { params: quality }));
  writeFileSync(join(assets, `${name}.gz`), gzipSync(content, { level: 9 }));
}
