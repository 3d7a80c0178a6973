import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { openPoster } from '../../domain/payments/checkout-link/open-poster.ts';
import { merchantNow } from '../../domain/platform/clock/merchant-now.ts';
import { isLanguage, type Language } from '../../language/languages.ts';
import { redirectToSandbox } from '../sandbox.ts';
import { getI18n } from '../send-page.ts';
import type { TokenRequest } from '../token-request.ts';

export function posterRoute(app: FastifyInstance, { service, clock }: Context): void {
  app.get('/poster/:token', async (request: TokenRequest, reply) => {
    const poster = await openPoster(service, request.params.token);
    if (redirectToSandbox(request, reply, poster.link.mode)) return reply;
    // Loaded on first use, because a process may never render a PDF.
    const { renderPoster } = await import('../../domain/payments/checkout-link/render-poster.ts');
    const now = merchantNow(clock.now(), poster.merchant, poster.link.mode);
    const bytes = await renderPoster(service, { ...poster, languages: getLanguages(request), now });
    return reply
      .type('application/pdf')
      .header('content-disposition', 'inline; filename="poster.pdf"')
      .send(bytes);
  });
}

function getLanguages(request: TokenRequest): [Language, ...Language[]] {
  const { code } = getI18n(request);
  const { second } = (request.query ?? {}) as { second?: string | string[] };
  return typeof second === 'string' && isLanguage(second) && second !== code ? [code, second] : [code];
}
