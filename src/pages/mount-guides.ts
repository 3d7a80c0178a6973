import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { acceptsPage } from '../http/accepts-page.ts';
import { sendProblem } from '../http/problem.ts';
import { DomainError } from '../kit/errors.ts';

/** `npm run docs:build` writes the documentation site to this folder. */
const builtSite = join(import.meta.dirname, '../../dist/guides');

const missingText = `The documentation site is not built.
Run "npm run docs:build" in the folder of the service, and restart the service.
The guides are also in its folder docs. The API reference is at /docs.
`;

/** Serves the documentation site under /guides if it was built before the start. */
export async function mountGuides(app: FastifyInstance, folder = builtSite): Promise<void> {
  if (!existsSync(join(folder, 'index.html'))) {
    for (const path of ['/guides', '/guides/*'])
      app.get(path, async (_request, reply) =>
        reply.code(404).type('text/plain; charset=utf-8').send(missingText),
      );
    return;
  }
  const policy = getGuidesPolicy(JSON.parse(readFileSync(join(folder, 'script-hashes.json'), 'utf8')));
  const notFoundPage = readFileSync(join(folder, '404.html'));
  await app.register(
    async (scope) => {
      scope.addHook('onRequest', async (_request, reply) => {
        reply.header('content-security-policy', policy);
      });
      scope.setNotFoundHandler((request, reply) => {
        if (acceptsPage(request)) return reply.code(404).type('text/html; charset=utf-8').send(notFoundPage);
        const detail = `Route not found: ${request.method} ${request.url.split('?')[0]}`;
        return sendProblem(request, reply, new DomainError('route_not_found', detail));
      });
      scope.get('', async (_request, reply) => reply.redirect('/guides/', 301));
      await scope.register(fastifyStatic, {
        root: folder,
        prefix: '/',
        decorateReply: false,
        preCompressed: true,
        redirect: true,
        cacheControl: false,
        setHeaders: (reply, path) => {
          // The generator names these files by a hash of their content.
          const isHashed = path.includes('/_astro/');
          reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
        },
      });
    },
    { prefix: '/guides' },
  );
}

/**
 * Allows the scripts of the site, with the hashes of those in its pages. The search needs WebAssembly, and colored code
 * has style attributes.
 */
function getGuidesPolicy(scriptHashes: string[]): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'wasm-unsafe-eval' ${scriptHashes.map((hash) => `'${hash}'`).join(' ')}`,
    "style-src 'self'",
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
