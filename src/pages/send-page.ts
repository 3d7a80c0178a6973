import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ContentCoding, negotiateCoding } from '../http/accept-encoding.ts';
import type { Clock } from '../kit/clock.ts';
import { isLanguage } from '../language/languages.ts';
import type { Assets } from './assets.ts';
import { toCspSource } from './assets.ts';
import { brandStyle } from './brand-style.ts';
import { renderToString } from './html.ts';
import { type PageI18n, resolveI18n } from './i18n.ts';
import { layout, type PageContent } from './layout.ts';

export type PageContext = { assets: Assets; clock: Clock; publicUrl: string };

/**
 * The headers forbid caching, framing and referrers, and allow only our own scripts and the inlined stylesheets, by
 * their hashes.
 */
export function pageHeaders({ style }: Assets): Record<string, string> {
  return {
    'content-security-policy': pageCsp(style.cspSource),
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'x-robots-tag': 'noindex',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  };
}

function pageCsp(styleSources: string): string {
  return (
    `default-src 'none'; script-src 'self'; style-src ${styleSources}; img-src 'self'; connect-src 'self'; ` +
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
  );
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The stored language of the session or charge that the page shows. */
    storedLanguage?: string | null;
  }
}

/** Returns the language of the request by `?lang=`, then the customer's stored language, then Accept-Language. */
export function getI18n(request: FastifyRequest): PageI18n {
  // The query is null if the URL cannot be decoded.
  const { lang } = (request.query ?? {}) as { lang?: string | string[] };
  const choice = Array.isArray(lang) ? lang[0] : lang;
  return resolveI18n(
    request.headers['accept-language'],
    choice !== undefined && isLanguage(choice) ? choice : (request.storedLanguage ?? undefined),
  );
}

export function sendPage(
  pageContext: PageContext,
  request: FastifyRequest,
  reply: FastifyReply,
  page: PageContent,
): FastifyReply {
  const { assets, clock, publicUrl } = pageContext;
  const toLanguageUrl = (language: string) => {
    const url = new URL(request.url, 'http://page');
    url.searchParams.set('lang', language);
    return url.pathname + url.search;
  };
  const text = renderToString(
    layout(page, {
      i18n: getI18n(request),
      assets,
      publicUrl,
      now: page.now ?? clock.now(),
      toLanguageUrl,
    }),
  );
  const brandCss = brandStyle(page.merchant);
  if (brandCss !== undefined)
    reply.header('content-security-policy', pageCsp(`${assets.style.cspSource} ${toCspSource(brandCss)}`));
  const coding = negotiateCoding(request);
  if (coding) reply.header('content-encoding', coding);
  return reply
    .code(page.status)
    .type('text/html; charset=utf-8')
    .header('vary', 'accept-language, accept-encoding')
    .send(compress(text, coding));
}

/** A higher quality costs more CPU time than it saves in transfer. */
const brotliQuality = 4;

/** Compresses a page to about a quarter of its size, which takes about a millisecond. */
function compress(text: string, coding: ContentCoding | undefined): string | Buffer {
  if (coding === 'br') {
    return brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } });
  }
  return coding === 'gzip' ? gzipSync(text) : text;
}
