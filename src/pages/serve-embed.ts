import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Context } from '../context.ts';
import { limitRate, toVisitorKey } from '../http/limit-rate.ts';
import { sendCompressed } from '../http/send-compressed.ts';
import { type Language, languageCodes, languages } from '../language/languages.ts';
import { customerApps } from '../method/customer-apps.ts';
import { stripTypes, toCompressedFile } from './assets.ts';
import { getI18n } from './send-page.ts';

/** An hour, because the URLs are the same for all versions. */
const cacheControl = 'public, max-age=3600';

/** Other sites may load the embedded checkout and its texts, one language at a time. */
export function serveEmbed(app: FastifyInstance, { limiter }: Context): void {
  const script = toCompressedFile(bundleEmbed());
  app.get('/embed/v1.js', async (request, reply) => {
    allowEveryOrigin(reply.type('text/javascript; charset=utf-8')).header('cache-control', cacheControl);
    return sendCompressed(request, reply, script);
  });
  const texts = new Map(
    languageCodes.map((code) => [code, toCompressedFile(JSON.stringify(getEmbedTexts(code)))]),
  );
  app.get('/embed/texts', async (request, reply) => {
    limitRate(limiter, toVisitorKey(request), reply);
    allowEveryOrigin(reply.type('application/json; charset=utf-8'))
      .header('cache-control', cacheControl)
      .header('vary', 'accept-language');
    return sendCompressed(request, reply, texts.get(getI18n(request).code)!);
  });
}

function allowEveryOrigin(reply: FastifyReply): FastifyReply {
  return reply
    .header('access-control-allow-origin', '*')
    .header('cross-origin-resource-policy', 'cross-origin');
}

/** Returns the texts of the customer pages that the embedded checkout uses. */
export function getEmbedTexts(language: Language) {
  const {
    page,
    choose,
    pay,
    rows,
    steps,
    cancel,
    paid,
    expired,
    sessionExpired,
    cancelled,
    change,
    errors,
    methods,
  } = languages[language];
  const { sandboxText, demoText } = page;
  const { title, methodMissing, email, emailHint, emailInvalid, submit, nextHint, methodUnavailable } =
    choose;
  return {
    language,
    page: { sandboxText, demoText },
    choose: { title, methodMissing, email, emailHint, emailInvalid, submit, nextHint, methodUnavailable },
    pay,
    rows,
    steps,
    cancel,
    methods,
    paid: { heading: paid.heading, text: paid.text, reversed: paid.reversed },
    expired,
    sessionExpired,
    cancelled: { title: cancelled.title, text: cancelled.text, partialText: cancelled.partialText },
    change: { link: change.link },
    noPaymentMethod: errors.noPaymentMethod,
    apps: customerApps,
  };
}

const sourceFolder = join(import.meta.dirname, '../../packages/embed/src');
const importPattern = /^(?:import|export)\s[^;]*?from '\.\/([\w-]+\.ts)';$/gm;
const commentPattern = /^[^\S\n]*(?:\/\*\*[\s\S]*?\*\/|\/\/.*)$/gm;

/**
 * Returns the modules of the embedded checkout as one script without comments and indentation. The modules share one
 * scope, so their names must be unique; `test/pages/embed.test.ts` runs the script.
 */
export function bundleEmbed(): string {
  const added = new Set<string>();
  const addModule = (name: string): string => {
    if (added.has(name)) return '';
    added.add(name);
    const source = stripTypes(readFileSync(join(sourceFolder, name), 'utf8'));
    const imported = [...source.matchAll(importPattern)].map(([, importedName]) => addModule(importedName!));
    return imported.join('') + source.replaceAll(importPattern, '').replaceAll(/^export /gm, '');
  };
  return addModule('index.ts').replaceAll(commentPattern, '').replaceAll(/^\s+/gm, '');
}
