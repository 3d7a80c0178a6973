import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../context.ts';
import { getLogo } from '../domain/accounts/merchant/logo.ts';
import { limitRate, toVisitorKey } from '../http/limit-rate.ts';
import { sendCompressed } from '../http/send-compressed.ts';
import { type Assets, toCompressedFile } from './assets.ts';

export function serveAssets(app: FastifyInstance, assets: Assets): void {
  for (const asset of assets.all) {
    app.get(asset.path, async (request, reply) => {
      reply.type(asset.type).header('cache-control', 'public, max-age=31536000, immutable');
      return sendCompressed(request, reply, asset);
    });
  }
}

/** Emails and link previews load the logos of merchants too, so other sites may embed them. */
export function serveLogos(app: FastifyInstance, { service, limiter }: Context): void {
  app.get<{ Params: { file: string } }>('/logos/:file', async (request, reply) => {
    limitRate(limiter, toVisitorKey(request), reply);
    const bytes = await getLogo(service, request.params.file.replace(/\.png$/, ''));
    return reply
      .type('image/png')
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('content-security-policy', "default-src 'none'; sandbox")
      .header('cross-origin-resource-policy', 'cross-origin')
      .send(bytes);
  });
}

/** Other sites may embed the icons. */
export function serveMethodIcons(app: FastifyInstance): void {
  const folder = join(import.meta.dirname, '../method/icons');
  for (const name of readdirSync(folder)) {
    const icon = toCompressedFile(readFileSync(join(folder, name), 'utf8'));
    app.get(`/icons/methods/${name}`, async (request, reply) => {
      reply
        .type('image/svg+xml')
        .header('cache-control', 'public, max-age=86400')
        .header('cross-origin-resource-policy', 'cross-origin');
      return sendCompressed(request, reply, icon);
    });
  }
}
