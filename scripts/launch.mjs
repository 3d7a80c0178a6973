/**
 * Starts a TypeScript file of the service:
 *
 *   node scripts/launch.mjs src/main.ts [arguments]
 *
 * Plain JavaScript, so that it can print a clear message on Node versions that cannot run the rest.
 */
import module from 'node:module';
import { fileURLToPath } from 'node:url';
import { isUsable, whyUnusable } from './platform.mjs';

if (!isUsable()) {
  console.error(whyUnusable());
  process.exit(1);
}
// Halves the startup time. The cache in the project folder is no security risk, because anyone who can write
// there can also change the code.
module.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/causeway', import.meta.url)));
const { generate } = await import('./generate.mjs');
await generate();
const [file, ...args] = process.argv.slice(2);
process.argv = [process.argv[0], file, ...args];
await import(new URL(`../${file}`, import.meta.url).href);
