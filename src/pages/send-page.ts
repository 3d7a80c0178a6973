import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../kit/clock.ts';
import type { Assets } from './assets.ts';
import { toText } from './html.ts';
import { layout, type Page } from './layout.ts';
import { type LanguageCode, type Reader, readReader } from './reader.ts';

/** What every page needs besides what it says. */
export type Site = { assets: Assets; clock: Clock };

/**
 * What every answer of the customer's pages carries. Nothing is kept, framed or told to another site, and scripts and
 * styles come from files of ours alone.
 */
export const pageHeaders = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
};

/** Who reads, by the request's Accept-Language and `?lang=`. */
export function readerOf(request: FastifyRequest): Reader {
  const { lang } = request.query as { lang?: string | string[] };
  return readReader(request.headers['accept-language'], Array.isArray(lang) ? lang[0] : lang);
}

/** Sends a page in its frame. */
export function sendPage(site: Site, request: FastifyRequest, reply: FastifyReply, page: Page): FastifyReply {
  const { assets, clock } = site;
  const addressIn = (language: LanguageCode) => {
    const url = new URL(request.url, 'http://page');
    url.searchParams.set('lang', language);
    return url.pathname + url.search;
  };
  const text = toText(
    layout(page, { reader: readerOf(request), assets, now: page.now ?? clock.now(), addressIn }),
  );
  return reply
    .code(page.status)
    .type('text/html; charset=utf-8')
    .header('vary', 'accept-language')
    .send(text);
}
