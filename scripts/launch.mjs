/**
 * Starts a TypeScript file of the service:
 *
 *   node scripts/launch.mjs src/main.ts [arguments]
 *
 * This file is plain JavaScript, so that it can print a clear message on Node versions that cannot run TypeScript.
 */
import module from 'node:module';
import { fileURLToPath } from 'node:url';
import { getUnsupportedReason, isPlatformSupported } from './platform.mjs';

if (!isPlatformSupported()) {
  console.error(getUnsupportedReason());
  process.exit(1);
}
// The compile cache halves the startup time. In the project folder, it is no security risk, because anyone who can
// write there can also change the code.
module.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/causeway', import.meta.url)));
const { generate } = await import('./generate.mjs');
await generate();
const [file, ...args] = process.argv.slice(2);
process.argv = [process.argv[0], file, ...args];
await import(new URL(`../${file}`, import.meta.url).href);
