import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import { expect, onTestFinished } from 'vitest';
import { handleErrors } from '../../src/http/problem.ts';
import { setSecurityHeaders } from '../../src/http/security-headers.ts';
import { handleUnknownRoutes } from '../../src/http/unknown-route.ts';
import { mountGuides } from '../../src/pages/mount-guides.ts';
import { fileTest as test } from '../setup/fixtures.ts';
import { createTempDir } from '../setup/temp-dir.ts';

/** A built site as `npm run docs:build` leaves it. */
const files: Record<string, string> = {
  'index.html': '<h1>Guides</h1>',
  '404.html': '<h1>404</h1>',
  'refunds/index.html': '<h1>Refund a payment</h1>',
  '_astro/page.abc123.css': 'h1 { color: teal }',
  'script-hashes.json': '["sha256-aaa"]',
};

async function startApp(folder: string): Promise<FastifyInstance> {
  const app = Fastify();
  onTestFinished(() => app.close());
  setSecurityHeaders(app, { settings: { publicUrl: 'https://pay.example.com' } as never });
  const sendPage = () => expect.fail('the page of another part');
  handleErrors(app, {
    handleUnknownRoute: handleUnknownRoutes(app, (_request, reply) => reply.code(404).send('<p>unknown</p>')),
    sendStaffErrorPage: sendPage,
  });
  await mountGuides(app, folder);
  return app;
}

async function startBuiltApp(): Promise<FastifyInstance> {
  const parent = await createTempDir(onTestFinished);
  await writeFile(join(parent, 'secret.html'), 'a file outside of the site');
  const folder = join(parent, 'guides');
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
    await writeFile(join(folder, `${name}.gz`), gzipSync(text));
  }
  return startApp(folder);
}

test('without a built site, /guides explains how to build it', async () => {
  const app = await startApp(join(await createTempDir(onTestFinished), 'guides'));
  for (const url of ['/guides', '/guides/', '/guides/refunds/']) {
    const { statusCode, headers, body } = await app.inject(url);
    expect({ url, statusCode, type: headers['content-type'] }).toEqual({
      url,
      statusCode: 404,
      type: 'text/plain; charset=utf-8',
    });
    expect(body).toContain('npm run docs:build');
    expect(headers['cache-control']).toBe('no-store');
  }
});

test('a built site is served compressed, under a policy that allows only its own scripts', async () => {
  const app = await startBuiltApp();
  const redirects = await Promise.all(['/guides', '/guides/refunds'].map((url) => app.inject(url)));
  expect(redirects.map(({ statusCode, headers }) => [statusCode, headers.location])).toEqual([
    [301, '/guides/'],
    [301, '/guides/refunds/'],
  ]);

  const page = await app.inject({ url: '/guides/refunds/', headers: { 'accept-encoding': 'gzip' } });
  expect(page.statusCode).toBe(200);
  expect(page.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'content-encoding': 'gzip',
    vary: 'accept-encoding',
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  });
  const policy = String(page.headers['content-security-policy']).split('; ');
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self' 'wasm-unsafe-eval' 'sha256-aaa'");
  expect(policy).toContain("frame-ancestors 'none'");
  const unchanged = await app.inject({
    url: '/guides/refunds/',
    headers: { 'accept-encoding': 'gzip', 'if-none-match': String(page.headers.etag) },
  });
  expect(unchanged.statusCode).toBe(304);

  const style = await app.inject('/guides/_astro/page.abc123.css');
  expect(style.body).toBe(files['_astro/page.abc123.css']);
  expect(style.headers['cache-control']).toBe('public, max-age=31536000, immutable');
});

test('an unknown path of the site returns 404, as its own page or as a problem', async () => {
  const app = await startBuiltApp();
  const page = await app.inject({ url: '/guides/none/', headers: { accept: 'text/html' } });
  expect([page.statusCode, page.body]).toEqual([404, files['404.html']]);
  expect(page.headers).toMatchObject({
    'cache-control': 'no-store',
    'content-security-policy': expect.stringContaining("'sha256-aaa'"),
  });
  const problem = await app.inject('/guides/none/');
  expect(problem.json()).toMatchObject({ status: 404, code: 'route_not_found' });
});

test.for([
  '/guides/../secret.html',
  '/guides/%2e%2e/secret.html',
  '/guides/..%2fsecret.html',
  '/guides/%2e%2e%2fsecret.html',
  '/guides/refunds/..%2f..%2f..%2fsecret.html',
  '/guides/..%5csecret.html',
  '/guides//etc/passwd',
  '/guides/refunds/%00',
])('%s does not leave the folder of the site', async (url) => {
  const app = await startBuiltApp();
  // A real connection, because `inject` normalizes the path.
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as { port: number };
  const { request } = await import('node:http');
  const status = await new Promise<number | undefined>((resolve, reject) => {
    request({ port, path: url }, (response) => resolve(response.resume().statusCode))
      .on('error', reject)
      .end();
  });
  expect([400, 404]).toContain(status);
});
