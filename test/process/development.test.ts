import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { findImports, readSources } from '../../scripts/import-graph.ts';
import { basicAuth } from '../setup/api.ts';
import type { OnCleanup } from '../setup/cleanup.ts';
import { isLongRun } from '../setup/counts.ts';
import { createTempDir } from '../setup/temp-dir.ts';
import { createProcessDataDir, readPostgresPid } from './data-dir.ts';
import { parsePrintedKeys, runServiceForTest } from './run-service.ts';

async function findFreePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return String(port);
}

test.runIf(isLongRun)(
  'npm run dev serves each change after a restart on the same PostgreSQL, also after a syntax error',
  async () => {
    const folder = await copyCheckout(onTestFinished);
    const dataDir = await createProcessDataDir(onTestFinished);
    const port = await findFreePort();
    const dev = runServiceForTest(onTestFinished, { PORT: port, DATA_DIR: dataDir, LOG_LEVEL: 'warn' }, [
      process.execPath,
      join(folder, 'scripts/launch.mjs'),
      'scripts/dev.ts',
    ]);
    const waitUntil = (isSo: () => Promise<boolean> | boolean) => vi.waitUntil(isSo, { timeout: 120_000 });
    await waitUntil(() => dev.output().includes('is ready after'));
    const postgres = await readPostgresPid(dataDir);
    const file = join(folder, 'src/http/version.ts');
    const text = await readFile(file, 'utf8');
    const readServedVersion = async () => {
      const response = await fetch(`http://127.0.0.1:${port}/charges`).catch(() => undefined);
      return response?.headers.get('causeway-version');
    };
    // Many editors, and git, replace the file.
    const save = async (version: string) => {
      await writeFile(`${file}~`, text.replace(/(?<=apiVersion = ')[^']+/, version));
      await rename(`${file}~`, file);
    };
    const isServed = (version: string) => waitUntil(async () => (await readServedVersion()) === version);

    await save('2031-01');
    await isServed('2031-01');
    await writeFile(file, `${text}\nconst`);
    await waitUntil(() => dev.output().includes('Failed running'));
    expect(dev.logged()).toContain('src/http/version.ts');
    expect(await readServedVersion()).toBeUndefined();
    await save('2031-02');
    await isServed('2031-02');
    expect(await readPostgresPid(dataDir)).toBe(postgres);

    // The service imports the schema, reads styles, and builds the dashboard.
    const change = async (path: string, from: string, to: string) => {
      const before = await readFile(join(folder, path), 'utf8');
      expect(before).toContain(from);
      await writeFile(join(folder, path), before.replace(from, to));
    };
    const authorization = basicAuth(parsePrintedKeys(dev.output(), 'sandbox'));
    const answer = async (path: string) => {
      const responded = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization } }).catch(
        () => undefined,
      );
      return (await responded?.text()) ?? '';
    };
    await change('schema/payments/charge.ts', 'A request for payment,', 'An amount to collect,');
    const query = encodeURIComponent('{ __type(name: "Charge") { description } }');
    await waitUntil(async () => (await answer(`/graphql?query=${query}`)).includes('An amount to collect,'));
    await change('src/pages/style/base.css', ':root', '.changed {} :root');
    await waitUntil(async () => (await answer('/checkout')).includes('.changed {}'));
    await change('src/dashboard/index.html', '<title>', '<title>Changed ');
    await waitUntil(async () => (await answer('/dashboard')).includes('<title>Changed '));

    expect(await dev.end('SIGTERM')).toBe(0);
    expect(await readPostgresPid(dataDir)).toBeUndefined();
  },
  600_000,
);

test('npm run generate creates every imported file of a fresh checkout', async () => {
  const cwd = await copyCheckout(onTestFinished);
  const imported = [...readSources()]
    .flatMap(([file, text]) => findImports(file, text))
    // Written by the generators that test/client/generated-clients.test.ts runs.
    .filter((file) => !file.startsWith('test/generated-clients/generated/'));
  const missing = () => imported.filter((file) => !existsSync(join(cwd, file)));

  expect(missing()).toContain('prisma/client/client.ts');
  execFileSync('npm', ['run', '--silent', 'generate'], { cwd, stdio: 'ignore' });
  expect(missing()).toEqual([]);
  expect(existsSync(join(cwd, 'prisma/client/pothos-types.ts'))).toBe(true);
});

const root = fileURLToPath(new URL('../..', import.meta.url));
const parts = [
  'src',
  'schema',
  'prisma',
  'scripts',
  'bench',
  'docs',
  'examples',
  'packages',
  'test',
  'package.json',
  'package-lock.json',
  'prisma.config.ts',
  'tsconfig.json',
];

/** Copies the checkout, as it is after `npm ci` without generated or built files, and returns the folder. */
async function copyCheckout(onCleanup: OnCleanup): Promise<string> {
  const folder = await createTempDir(onCleanup);
  const filter = (path: string) => path !== join(root, 'prisma/client');
  await Promise.all(
    parts.map((part) => cp(join(root, part), join(folder, part), { recursive: true, filter })),
  );
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}
