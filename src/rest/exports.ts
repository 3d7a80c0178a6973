import { Readable } from 'node:stream';
import type { Context } from '../context.ts';
import { getContentType } from '../domain/payouts/export/export-request.ts';
import { openExport } from '../domain/payouts/export/open-export.ts';
import { fileQuery, idParams } from './inputs.ts';
import type { TypedFastify } from './typed-fastify.ts';

export function registerExportFileRoute(app: TypedFastify, { service, clock }: Context): void {
  const binary = { type: 'string', format: 'binary' };
  const schema = {
    summary: 'Download the file of an export',
    description:
      'Returns a file that was created with `createExport` (GraphQL), for 24 hours. A file of refund payouts contains ' +
      'bank details, so it requires the permission `transfers`, and each download is recorded in the audit trail. All other files require the permission `read`.',
    tags: ['Exports'],
    params: idParams,
    querystring: fileQuery,
    response: {
      200: {
        headers: {
          'Causeway-Data-As-Of': {
            type: 'string',
            format: 'date-time',
            description:
              'The time until which the file includes all changes, if a standby of the database provided the data.',
          },
        },
        content: { 'text/csv': { schema: binary }, 'application/xml': { schema: binary } },
      },
    },
  };
  app.get('/exports/:id/file', { schema }, async (request, reply) => {
    const { caller, params, ip } = request;
    const now = clock.now();
    const { row, bytes } = await openExport(service, { caller, ipAddress: ip, id: params.id, now });
    return (
      reply
        .header('content-type', getContentType(row))
        .header('content-length', String(row.size))
        // The file name contains only letters, digits, dots and hyphens, so it needs no encoding.
        .headers(row.dataAsOf ? { 'causeway-data-as-of': row.dataAsOf.toISOString() } : {})
        .header('content-disposition', `attachment; filename="${row.fileName}"`)
        .send(Readable.from(bytes) as unknown as string)
    );
  });
}
