import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { buildDashboard } from '../../src/dashboard-server/build-dashboard.ts';
import { setupApp, type TestApp } from '../setup/app.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';

const onCleanup = cleanupAfterFile();

/** How the dashboard's files are served. */

let served: TestApp;

beforeAll(async () => {
  served = await setupApp(onCleanup);
  await buildDashboard();
});

const get = (url: string, headers: Record<string, string> = {}) => served.app.inject({ url, headers });

async function assetsOf(page: string): Promise<string[]> {
  return [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] as string);
}

describe('the page', () => {
  test('is served at every address of the dashboard', async () => {
    for (const url of ['/dashboard', '/dashboard/', '/dashboard/charges/ch_1?status=pending']) {
      const { statusCode, headers, body } = await get(url);
      expect({ url, statusCode }).toEqual({ url, statusCode: 200 });
      expect(headers['content-type']).toBe('text/html; charset=utf-8');
      expect(body).toContain('<div id="root">');
    }
  });

  test('lets in no script but its own, no style without its nonce, and nothing from another origin', async () => {
    const first = await get('/dashboard');
    const second = await get('/dashboard');
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

  test('is made for those who use it, also where a test asked for it first: React for developers is slow, and tells paths', async () => {
    const assets = join(await buildDashboard(), 'assets');
    const names = (await readdir(assets)).filter((name) => name.endsWith('.js'));
    expect(names.length).toBeGreaterThan(10);
    const scripts = await Promise.all(names.map((name) => readFile(join(assets, name), 'utf8')));
    expect(names.filter((_, i) => /jsxDEV|columnNumber:/.test(scripts[i]!))).toEqual([]);
  });

  test('says where alone a session counts', async () => {
    expect((await get('/dashboard')).body).toContain(
      'name="causeway-origin" content="http://127.0.0.1:4000"',
    );
  });
});

describe('its files', () => {
  test('are compressed, and kept for ever, because their names change with them', async () => {
    const assets = await assetsOf((await get('/dashboard')).body);
    expect(new Set(assets.map((path) => path.split('.').at(-1)))).toEqual(new Set(['css', 'js', 'svg']));
    for (const path of assets) {
      const plain = await get(path);
      expect({ path, status: plain.statusCode }).toEqual({ path, status: 200 });
      expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable');
      expect(plain.headers['content-encoding']).toBeUndefined();
      for (const coding of ['br', 'gzip']) {
        const coded = await get(path, { 'accept-encoding': coding });
        expect(coded.headers['content-encoding']).toBe(coding);
        expect(coded.rawPayload.length).toBeLessThan(plain.rawPayload.length);
      }
      const refused = await get(path, { 'accept-encoding': 'br;q=0, gzip;q=0.0' });
      expect(refused.headers['content-encoding']).toBeUndefined();
    }
  });

  test('a name that is none of them is 404, also one that climbs out of the folder', async () => {
    for (const name of ['nothing.js', '..%2Findex.html', '..%2F..%2F..%2Fpackage.json', 'index.html']) {
      expect((await get(`/dashboard/assets/${name}`)).statusCode).toBe(404);
    }
  });
});
