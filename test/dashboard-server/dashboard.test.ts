import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished } from 'vitest';
import { findImports } from '../../scripts/import-graph.ts';
import { buildDashboard, bundlerSources, sharedSources } from '../../src/dashboard-server/build-dashboard.ts';
import type { TestApp } from '../setup/app.ts';
import { setupApp } from '../setup/app.ts';
import { fileTest } from '../setup/fixtures.ts';
import { createTempDir } from '../setup/temp-dir.ts';

const test = fileTest.extend('app', { scope: 'file' }, async ({ onFileCleanup }) => {
  await buildDashboard();
  return setupApp(onFileCleanup);
});

const dashboard = fileURLToPath(new URL('../../src/dashboard/', import.meta.url));

const get = (app: TestApp, url: string, headers: Record<string, string> = {}) =>
  app.app.inject({ url, headers });

async function listAssets(page: string): Promise<string[]> {
  return [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] as string);
}

test('concurrent starts share one complete build', async () => {
  const distFolder = await createTempDir(onTestFinished);
  const lines: string[] = [];
  const onProgress = (line: string) => lines.push(line);
  const folders = await Promise.all([
    buildDashboard({ distFolder, onProgress }),
    buildDashboard({ distFolder, onProgress }),
  ]);
  expect(new Set(folders).size).toBe(1);
  expect(lines).toEqual(['Building the dashboard']);
  expect(await readdir(folders[0])).toEqual(expect.arrayContaining(['assets', 'index.html']));
  expect(await buildDashboard({ distFolder, onProgress })).toBe(folders[0]);
  expect(lines).toHaveLength(1);
  const names = await readdir(distFolder);
  expect(names.filter((name) => name !== '.lock')).toEqual([folders[0].slice(join(distFolder, '/').length)]);
});

test('imports of the dashboard from outside its folder are listed, because a change of one rebuilds the bundle', async () => {
  const files = (await readdir(dashboard, { recursive: true })).filter((name) => /\.tsx?$/.test(name));
  const imported = files.flatMap((name) => {
    const source = readFileSync(join(dashboard, name), 'utf8');
    const paths = [...source.matchAll(/(?:from|import) '(\.[^']+)'/g)].map(([, path]) => path as string);
    return paths.map((path) => join('src/dashboard', dirname(name), path));
  });
  const outside = imported.filter((path) => !path.startsWith('src/dashboard/'));
  expect([...new Set(outside)].sort()).toEqual(sharedSources);
  // Imports of types are not in the bundle.
  const further = sharedSources.flatMap((file) =>
    findImports(file, readFileSync(file, 'utf8').replace(/^import type .*/gm, '')),
  );
  expect(further.filter((file) => !sharedSources.includes(file))).toEqual([]);
});

test('the list of bundler sources has all their imports', () => {
  const [script, ...others] = bundlerSources;
  const imported = readFileSync(script, 'utf8').matchAll(/from '(\.[^']+)'/g);
  expect([...imported].map(([, path]) => join(dirname(script), path as string))).toEqual(others);
  for (const file of others) expect(readFileSync(file, 'utf8')).not.toMatch(/from '\./);
});

describe('the page', () => {
  test('is the app at every address of the dashboard', async ({ app }) => {
    for (const url of ['/dashboard', '/dashboard/', '/dashboard/charges/ch_1?status=pending']) {
      const { statusCode, headers, body } = await get(app, url);
      expect({ url, statusCode }).toEqual({ url, statusCode: 200 });
      expect(headers['content-type']).toBe('text/html; charset=utf-8');
      expect(body).toContain('<div id="root">');
    }
  });

  test('has a policy that allows only its own scripts, styles with its nonce, and no other origin', async ({
    app,
  }) => {
    const first = await get(app, '/dashboard');
    const second = await get(app, '/dashboard');
    const policy = String(first.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toContain('unsafe');
    expect(policy).toContain('connect-src ' + "'self' ws://127.0.0.1:4000");
    expect(policy).toContain("frame-ancestors 'none'");
    const nonce = /'nonce-([\w-]{22})'/.exec(policy)?.[1] as string;
    expect(first.body).toContain(`nonce="${nonce}"`);
    expect(second.body).not.toContain(nonce);
    expect(first.body).not.toMatch(/__[A-Z]+__|<script(?! type="module")|https?:\/\/(?!127\.0\.0\.1:4000)/);
    expect(first.headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    });
  });

  test('has the production build of React, also in tests', async () => {
    const assets = join(await buildDashboard(), 'assets');
    const names = (await readdir(assets)).filter((name) => name.endsWith('.js'));
    expect(names.length).toBeGreaterThan(10);
    const scripts = await Promise.all(names.map((name) => readFile(join(assets, name), 'utf8')));
    expect(names.filter((_, i) => /jsxDEV|columnNumber:/.test(scripts[i]!))).toEqual([]);
  });

  test('has the origin of the sessions', async ({ app }) => {
    expect((await get(app, '/dashboard')).body).toContain(
      'name="causeway-origin" content="http://127.0.0.1:4000"',
    );
  });
});

describe('assets', () => {
  test('are compressed and cached forever, because their names have a hash', async ({ app }) => {
    const assets = await listAssets((await get(app, '/dashboard')).body);
    expect(new Set(assets.map((path) => path.split('.').at(-1)))).toEqual(new Set(['css', 'js', 'svg']));
    for (const path of assets) {
      const plain = await get(app, path);
      expect({ path, status: plain.statusCode }).toEqual({ path, status: 200 });
      expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable');
      expect(plain.headers['content-encoding']).toBeUndefined();
      for (const coding of ['br', 'gzip']) {
        const coded = await get(app, path, { 'accept-encoding': coding });
        expect(coded.headers['content-encoding']).toBe(coding);
        expect(coded.rawPayload.length).toBeLessThan(plain.rawPayload.length);
      }
      const uncompressed = await get(app, path, { 'accept-encoding': 'br;q=0, gzip;q=0.0' });
      expect(uncompressed.headers['content-encoding']).toBeUndefined();
    }
  });

  test('return 404 for unknown names and for paths outside of their folder', async ({ app }) => {
    for (const name of ['nothing.js', '..%2Findex.html', '..%2F..%2F..%2Fpackage.json', 'index.html']) {
      expect((await get(app, `/dashboard/assets/${name}`)).statusCode).toBe(404);
    }
  });
});
