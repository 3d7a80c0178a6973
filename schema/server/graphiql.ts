import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../src/context.ts';
import { acceptsCoding } from '../../src/http/accept-encoding.ts';
import { limitDownload } from '../../src/http/limit-rate.ts';
import { DomainError } from '../../src/kit/errors.ts';

const examples = `# Put your credentials into Headers below:
#
#   { "Authorization": "Basic ck_test_…:cs_test_…" }
#
# Enter an API key and its secret as they are: the page encodes them.
# A client token goes as { "Authorization": "Bearer …" }.

query Charges {
  charges(first: 10, filter: { status: [pending] }) {
    nodes {
      id
      status
      merchantAmount
      merchantCurrency
      destination { account nonce }
    }
    pageInfo { hasNextPage endCursor }
  }
}

mutation CreateCharge {
  createCharge(
    input: {
      email: "ada@example.com"
      merchantAmount: "128.50"
      merchantCurrency: "HKD"
      method: fps
    }
  ) {
    ... on CreateChargeSuccess {
      charge { id status destination { qrCode account nonce } }
    }
    ... on InvalidRequestError { errors { path message } }
    ... on Error { code message }
  }
}

# Stays open and sends each change.
subscription Follow {
  chargesUpdated { id status amountReceived paymentState }
}
`;

/** Stands among the options where the fetcher goes, which is a function and so no JSON. */
const fetcherPlaceholder = '"the fetcher of this service"';

/** On a narrow screen the answer stands below what is asked; GraphiQL would leave it one letter's width. */
const narrowStyle = `<style>
@media (max-width: 720px) {
  .graphiql-sessions > :has(> .graphiql-editors) { display: flex; flex-direction: column; gap: 8px; }
  .graphiql-editors, .graphiql-response { min-height: 0; width: 100%; }
  .graphiql-sessions .graphiql-horizontal-drag-bar, .graphiql-logo { display: none; }
}
</style>`;

/** GraphiQL as one gzipped page: script, styles and fonts are in it, the schema is loaded by the fetcher. */
async function renderPage(): Promise<Buffer> {
  // Nine megabytes of script: read when the first browser asks.
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  const fetcher = await readFile(new URL('./graphiql-fetcher.js', import.meta.url), 'utf8');
  const options = {
    title: 'Causeway GraphiQL',
    defaultQuery: examples,
    fetcher: JSON.parse(fetcherPlaceholder),
    // The headers hold secrets: they are not written to the browser's storage.
    shouldPersistHeaders: false,
  };
  const html = renderGraphiQL(options)
    .replace(fetcherPlaceholder, () => fetcher.trim().replace(/;$/, ''))
    .replace('</head>', () => `${narrowStyle}</head>`);
  return promisify(gzip)(html);
}

export function isBrowser(request: FastifyRequest): boolean {
  return request.method === 'GET' && (request.headers.accept ?? '').includes('text/html');
}

/**
 * Answers GraphiQL without credentials: the page holds no secrets, and its requests need credentials. It exists in gzip
 * alone, since nine megabytes for a request of a hundred bytes would be a gift to an attacker.
 */
export function createGraphiqlHandler(
  context: Context,
): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  const origin = context.service.settings.publicUrl;
  let page: Promise<Buffer> | undefined;
  const policy = [
    "default-src 'none'",
    "script-src 'unsafe-inline' blob:",
    'worker-src blob:',
    "style-src 'unsafe-inline'",
    'font-src data:',
    "img-src 'self' data:",
    `connect-src 'self' ${origin.replace(/^http/, 'ws')}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  return async (request, reply) => {
    if (!acceptsCoding(request, 'gzip')) {
      throw new DomainError(
        'not_acceptable',
        'GraphiQL is available only with gzip: send Accept-Encoding: gzip',
      );
    }
    page ??= renderPage();
    // Nothing is said of it before it is there: until then the answer may become another, see answer-in-time.
    const gzipped = await page;
    limitDownload(context.limiter, { request, reply, bytes: gzipped.length });
    reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', policy)
      .header('cache-control', 'no-cache')
      .header('vary', 'Accept, Accept-Encoding');
    return reply.header('content-encoding', 'gzip').send(gzipped);
  };
}
