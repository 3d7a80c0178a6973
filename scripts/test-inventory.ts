import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { createVitest, type TestCase, type TestModule } from 'vitest/node';

/**
 * Compares the tests of two commits:
 *
 *   npm run inventory --silent > before.txt       lists every test as `file > describe > title`, sorted
 *   npm run inventory -- before.txt after.txt     prints removed and new tests
 *
 * The inventory includes skipped tests, which `vitest list --json` omits.
 */

const skippedSuffix = ' (skipped)';

async function listTests(): Promise<string[]> {
  const vitest = await createVitest('test', { watch: false, reporters: [{}], silent: true });
  try {
    const { testModules, unhandledErrors } = await vitest.collect([], { staticParse: false });
    const errors = [...unhandledErrors, ...testModules.flatMap(collectErrors)];
    if (errors.length > 0) throw new AggregateError(errors, 'Some test files could not be collected');
    return testModules.flatMap((module) => [...module.children.allTests()].map(toLine)).sort();
  } finally {
    await vitest.close();
  }
}

function collectErrors(module: TestModule): unknown[] {
  return [...module.errors(), ...[...module.children.allSuites()].flatMap((suite) => suite.errors())];
}

function toLine(test: TestCase): string {
  const { module, fullName, options } = test;
  const isSkipped = options.mode === 'skip' || options.mode === 'todo';
  const title = fullName.replace(/\p{Cc}/gu, (control) => JSON.stringify(control).slice(1, -1));
  return `${relative(process.cwd(), module.moduleId)} > ${title}${isSkipped ? skippedSuffix : ''}`;
}

function readInventory(file: string): string[] {
  return readFileSync(file, 'utf8').split('\n').filter(Boolean);
}

/** Returns the lines that are missing from `others`. A line that occurs twice must also occur twice in `others`. */
function findMissing(others: readonly string[], lines: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const line of others) counts.set(line, (counts.get(line) ?? 0) + 1);
  return lines.filter((line) => {
    const count = counts.get(line) ?? 0;
    counts.set(line, count - 1);
    return count <= 0;
  });
}

function printComparison(before: readonly string[], after: readonly string[]): void {
  const missingTests = findMissing(after, before);
  const added = findMissing(before, after);
  for (const line of missingTests) console.log(`- ${line}`);
  for (const line of added) console.log(`+ ${line}`);
  console.log(
    `${before.length} tests before, ${after.length} after: ${missingTests.length} missing, ${added.length} new`,
  );
}

const [before, after] = process.argv.slice(2);
if (before === undefined) for (const line of await listTests()) console.log(line);
else printComparison(readInventory(before), after === undefined ? await listTests() : readInventory(after));
