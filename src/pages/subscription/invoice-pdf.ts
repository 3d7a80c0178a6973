import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { openInvoicePage } from '../../domain/subscription/open-pages.ts';
import type { TokenRequest } from './visit.ts';

/** The invoice as a document: `/pay/invoice/<token>/pdf`. */
export function invoicePdfRoute(app: FastifyInstance, { service }: Context): void {
  app.get('/invoice/:token/pdf', async (request: TokenRequest, reply) => {
    const opened = await openInvoicePage(service, request.params.token);
    // Loaded when the first document is wanted: most processes write none for long.
    const { renderInvoice } = await import('../../domain/invoice/render-invoice.ts');
    const bytes = await renderInvoice(service, opened);
    return reply
      .type('application/pdf')
      .header('content-disposition', `inline; filename="invoice-${opened.invoice.number}.pdf"`)
      .send(bytes);
  });
}
