import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import { canSendEmail } from '../domain/platform/service.ts';
import { type CompressedFile, sendCompressed } from '../http/send-compressed.ts';
import { DomainError } from '../kit/errors.ts';
import { buildDashboard } from './build-dashboard.ts';
import { mailPlaceholder, noncePlaceholder, originPlaceholder } from './placeholders.ts';

const nonceBytes = 16;

/** A file of the bundle in all supported encodings. */
type BundleFile = CompressedFile & { type: string };

type Bundle = {
  /** The HTML page with its placeholders. */
  page: string;
  /** The files by name. The names contain a hash of the content. */
  assets: ReadonlyMap<string, BundleFile>;
};

const contentTypes: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/**
 * Serves the dashboard under /dashboard: the same page for every path, because routing is in the client, and the
 * files of the bundle. If the bundle was not built at startup, it is built at the first request.
 */
export function mountDashboard(app: FastifyInstance, { service }: Context): void {
  let bundle: Promise<Bundle> | undefined;
  const loadBundle = () => {
    bundle ??= buildDashboard()
      .then(readBundle)
      .catch((error: unknown) => {
        bundle = undefined;
        throw error;
      });
    return bundle;
  };

  const sendPage = async (_request: FastifyRequest, reply: FastifyReply) => {
    const { page } = await loadBundle();
    const nonce = randomBytes(nonceBytes).toString('base64url');
    return reply
      .type('text/html; charset=utf-8')
      .headers(pageHeaders(nonce, service.settings.publicUrl))
      .send(
        page
          .replaceAll(noncePlaceholder, nonce)
          .replace(originPlaceholder, service.settings.publicUrl)
          .replace(mailPlaceholder, canSendEmail(service) ? 'on' : 'off'),
      );
  };
  // People open the root URL, because the service prints it at startup.
  app.get('/', (_request, reply) => reply.redirect('/dashboard'));
  app.get('/dashboard', sendPage);
  app.get('/dashboard/*', sendPage);
  app.get<{ Params: { name: string } }>('/dashboard/assets/:name', async (request, reply) => {
    const file = (await loadBundle()).assets.get(request.params.name);
    if (!file)
      throw new DomainError(
        'route_not_found',
        `Route not found: GET /dashboard/assets/${request.params.name}`,
      );
    return sendFile(file, request, reply);
  });
}

/**
 * Returns headers that block inline scripts and content from other origins. The nonce allows style elements
 * that components create at run time. The WebSocket URL is listed because older browsers do not include it in
 * 'self'.
 */
function pageHeaders(nonce: string, publicUrl: string): Record<string, string> {
  return {
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
      `style-src 'self' 'nonce-${nonce}'`,
      // The settings show a chosen logo before it is uploaded.
      "img-src 'self' data:",
      `connect-src 'self' ${publicUrl.replace(/^http/, 'ws')}`,
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'cache-control': 'no-store',
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'x-robots-tag': 'noindex',
    'cross-origin-opener-policy': 'same-origin',
  };
}

function sendFile(file: BundleFile, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.type(file.type).header('cache-control', 'public, max-age=31536000, immutable');
  return sendCompressed(request, reply, file);
}

/** Reads a built dashboard into memory. */
async function readBundle(folder: string): Promise<Bundle> {
  const assetFolder = join(folder, 'assets');
  const names = (await readdir(assetFolder)).filter((name) => contentTypes[extname(name)] !== undefined);
  const read = (name: string) => readFile(join(assetFolder, name));
  const files = names.map(async (name) => {
    const [body, br, gzip] = await Promise.all([read(name), read(`${name}.br`), read(`${name}.gz`)]);
    return [name, { type: contentTypes[extname(name)]!, body, br, gzip }] as const;
  });
  const page = await readFile(join(folder, 'index.html'), 'utf8');
  return { page, assets: new Map(await Promise.all(files)) };
}
