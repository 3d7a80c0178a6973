import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { accepts } from '../http/accept-encoding.ts';
import { type Asset, type Assets, makeAsset } from './assets.ts';

/** Serves the assets; only the addresses that exist, and each in the best coding the browser takes. */
export function serveAssets(app: FastifyInstance, assets: Assets): void {
  for (const asset of assets.all) {
    app.get(asset.path, async (request, reply) =>
      send(
        request,
        reply.type(asset.type).header('cache-control', 'public, max-age=31536000, immutable'),
        asset,
      ),
    );
  }
}

/** Serves the icons of the payment methods, `/icons/methods/<code>.svg`, which other sites may show too. */
export function serveMethodIcons(app: FastifyInstance): void {
  const folder = join(import.meta.dirname, '../method/icons');
  for (const name of readdirSync(folder)) {
    const icon = makeAsset(name, 'image/svg+xml', readFileSync(join(folder, name), 'utf8'));
    app.get(`/icons/methods/${name}`, async (request, reply) =>
      send(
        request,
        reply
          .type(icon.type)
          .header('cache-control', 'public, max-age=86400')
          .header('cross-origin-resource-policy', 'cross-origin'),
        icon,
      ),
    );
  }
}

function send(request: FastifyRequest, reply: FastifyReply, asset: Asset): Buffer {
  reply.header('vary', 'accept-encoding').header('x-content-type-options', 'nosniff');
  if (accepts(request, 'br')) {
    reply.header('content-encoding', 'br');
    return asset.brotli;
  }
  if (accepts(request, 'gzip')) {
    reply.header('content-encoding', 'gzip');
    return asset.gzip;
  }
  return asset.body;
}
