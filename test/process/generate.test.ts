import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findImports, readSources } from '../../scripts/import-graph.ts';
import { copyCheckout } from '../setup/copy-checkout.ts';

test('after npm run generate, every import of a fresh checkout leads to a file', async () => {
  const cwd = await copyCheckout(onTestFinished);
  const imported = [...readSources()].flatMap(([file, text]) => findImports(file, text));
  const missing = () => imported.filter((file) => !existsSync(join(cwd, file)));

  expect(missing()).toContain('prisma/client/client.ts');
  execFileSync('npm', ['run', '--silent', 'generate'], { cwd, stdio: 'ignore' });
  expect(missing()).toEqual([]);
  expect(existsSync(join(cwd, 'prisma/client/pothos-types.ts'))).toBe(true);
});
