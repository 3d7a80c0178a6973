/**
 * Runs benchmarks, each on its own service and PostgreSQL, and prints the results:
 *   npm run bench                 all benchmarks, one after the other
 *   npm run bench -- api          one benchmark
 *   npm run bench -- api --charges 10000000
 * All other files in this folder are benchmarks; the first comment of each describes what it measures.
 */
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Benchmark } from './support/benchmark.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));
const benchmarkNames = readdirSync(folder)
  .filter((file) => file.endsWith('.ts') && file !== 'run.ts')
  .map((file) => file.slice(0, -'.ts'.length));
const [selection = 'all', ...options] = process.argv.slice(2);
const names = selection === 'all' ? benchmarkNames : [selection];
for (const name of names) {
  if (!benchmarkNames.includes(name)) {
    console.error(`There is no benchmark ${name}. There are: ${benchmarkNames.join(', ')}`);
    process.exit(1);
  }
  console.log(`# ${name}\n`);
  const { benchmark } = (await import(`./${name}.ts`)) as { benchmark: Benchmark };
  await benchmark(options);
}
