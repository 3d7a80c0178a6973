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
# Enter an API key and its secret without encoding them; the page does that.
# Send a client token as { "Authorization": "Bearer …" }.

query Charges {
  charges(first: 10, filter: { statuses: [pending] }) {
    nodes {
      id
      status
      merchantAmount
      merchantCurrency
      destination { account paymentReference }
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
      charge { id status destination { qrCode account paymentReference } }
    }
    ... on InvalidRequestError { errors { path message } }
    ... on UserError { code message }
  }
}

# Stays open and sends each change.
subscription Follow {
  chargesUpdated { id status amountReceived paymentState }
}
`;

/** A placeholder for the fetcher in the serialized options, because JSON cannot contain a function. */
const fetcherPlaceholder = '"the fetcher of this service"';

/** Stacks request and response on narrow screens. */
const narrowStyle = `<style>
@media (max-width: 720px) {
  .graphiql-sessions > :has(> .graphiql-editors) { display: flex; flex-direction: column; gap: 8px; }
  .graphiql-editors, .graphiql-response { min-height: 0; width: 100%; }
  .graphiql-sessions .graphiql-horizontal-drag-bar, .graphiql-logo { display: none; }
}
</style>`;

/** Renders GraphiQL as one gzipped page with script, styles and fonts; the fetcher loads the schema. */
async function renderPage(): Promise<Buffer> {
  // The module contains nine megabytes of script, so it is imported on the first request.
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  const fetcher = await readFile(new URL('./graphiql-fetcher.js', import.meta.url), 'utf8');
  const options = {
    title: 'Causeway GraphiQL',
    defaultQuery: examples,
    fetcher: JSON.parse(fetcherPlaceholder),
    // The headers contain secrets, which must not be written to the browser's storage.
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
 * Serves GraphiQL without credentials: the page contains no secrets, and its requests need credentials. It is
 * available only with gzip, because a response of nine megabytes to a small request would allow amplification
 * attacks.
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
    // Sets headers only when the page is ready: until then, the request timeout may send another response.
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
