import { once } from 'node:events';
import { cp, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { basic } from '../setup/api.ts';
import { isLong } from '../setup/counts.ts';
import { temporaryFolder } from '../setup/temporary-folder.ts';
import { postgresPid, processDataDir } from './data-dir.ts';
import { printedKeys, projectRoot, runServiceForTest } from './run-service.ts';

/** `npm run dev`, on a copy of the checkout: a service of its own, for the long run. */

const parts = [
  'src',
  'schema',
  'prisma',
  'scripts',
  'bench',
  'examples',
  'test',
  'dist',
  'package.json',
  'package-lock.json',
];

async function copyCheckout(): Promise<string> {
  const folder = await temporaryFolder();
  await Promise.all(
    parts.map((part) => cp(join(projectRoot, part), join(folder, part), { recursive: true })),
  );
  await symlink(join(projectRoot, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return String(port);
}

test.runIf(isLong)(
  'a change is served by a service begun anew, on the same PostgreSQL; a fault is told, and mended by the next change',
  async () => {
    const folder = await copyCheckout();
    const dataDir = await processDataDir();
    const port = await freePort();
    const dev = runServiceForTest({ PORT: port, DATA_DIR: dataDir, LOG_LEVEL: 'warn' }, [
      process.execPath,
      join(folder, 'scripts/launch.mjs'),
      'scripts/dev.ts',
    ]);
    await dev.ready();
    const postgres = await postgresPid(dataDir);
    const file = join(folder, 'src/http/version.ts');
    const text = await readFile(file, 'utf8');
    const served = async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/charges`).catch(() => undefined);
      return answer?.headers.get('causeway-version');
    };
    // As many editors do: another file takes the place of the one before.
    const save = async (version: string) => {
      await writeFile(`${file}~`, text.replace(/(?<=apiVersion = ')[^']+/, version));
      await rename(`${file}~`, file);
    };
    const until = (isSo: () => Promise<boolean> | boolean) => vi.waitUntil(isSo, { timeout: 120_000 });
    const isServed = (version: string) => until(async () => (await served()) === version);

    await save('2031-01');
    await isServed('2031-01');
    await writeFile(file, `${text}\nconst`);
    await until(() => dev.said().includes('The service has ended'));
    expect(dev.logged()).toContain('src/http/version.ts');
    expect(await served()).toBeUndefined();
    await save('2031-02');
    await isServed('2031-02');
    expect(await postgresPid(dataDir)).toBe(postgres);

    // A file of the schema, whose types add themselves to one builder; and a style, which is no module.
    const change = async (path: string, from: string, to: string) => {
      const before = await readFile(join(folder, path), 'utf8');
      expect(before).toContain(from);
      await writeFile(join(folder, path), before.replace(from, to));
    };
    const authorization = basic(printedKeys(dev.said(), 'sandbox'));
    const answer = async (path: string) => {
      const answered = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization } }).catch(
        () => undefined,
      );
      return (await answered?.text()) ?? '';
    };
    await change('schema/charge.ts', 'A request for payment,', 'A sum somebody owes,');
    const query = encodeURIComponent('{ __type(name: "Charge") { description } }');
    await until(async () => (await answer(`/graphql?query=${query}`)).includes('A sum somebody owes,'));
    await change('src/pages/style/base.css', ':root', '.changed {} :root');
    await until(async () => (await answer('/checkout')).includes('.changed {}'));

    expect(await dev.end('SIGTERM')).toBe(0);
    expect(await postgresPid(dataDir)).toBeUndefined();
  },
  600_000,
);
