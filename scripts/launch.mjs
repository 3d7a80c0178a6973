/**
 * Starts a TypeScript file of the service: node scripts/launch.mjs src/main.ts [arguments]
 * Plain JavaScript, so that it can say in one line what is missing on a Node that is too old for the rest.
 */
import module from 'node:module';
import { fileURLToPath } from 'node:url';
import { isUsable, whyUnusable } from './platform.mjs';

if (!isUsable()) {
  console.error(whyUnusable());
  process.exit(1);
}
// Halves the time of a start. In our own folder: who can write there can change the code anyway.
module.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/causeway', import.meta.url)));
const { generate } = await import('./generate.mjs');
await generate();
const [file, ...args] = process.argv.slice(2);
process.argv = [process.argv[0], file, ...args];
await import(new URL(`../${file}`, import.meta.url).href);
