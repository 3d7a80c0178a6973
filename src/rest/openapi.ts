import fastifySwagger from '@fastify/swagger';
import fastifySwaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../context.ts';
import { createCachedTextHandler } from '../http/send-compressed.ts';
import { apiVersion } from '../http/version.ts';
import { completeDocument, type OpenApiDocument } from './complete-document.ts';

const tags = [
  { name: 'Charges', description: 'Requests for payment, with the instructions that the customer follows.' },
  { name: 'Refunds', description: 'Refunds of completed charges to their customers.' },
  { name: 'Checkout link', description: 'Reusable payment pages on which customers choose how to pay.' },
  { name: 'Sessions', description: 'One-time payment pages, each for one customer.' },
  { name: 'Subscriptions', description: 'Customers’ subscriptions to plans.' },
  { name: 'Subscription plans', description: 'The amount, frequency and number of recurring payments.' },
  { name: 'Customers', description: 'The verification of customers’ phone numbers by SMS.' },
  { name: 'Transfers', description: 'Transfers to and from your accounts, which your bank feed reports.' },
  { name: 'Statements', description: 'The upload and download of bank statement files.' },
  {
    name: 'Exports',
    description:
      'Files with your charges, refunds, transfers, customers, reconciliation, journal and payouts.',
  },
  { name: 'Helpers', description: 'Payment methods, currencies, currency conversion and translations.' },
  { name: 'Webhooks', description: 'The notifications that your webhooks receive.' },
];

/**
 * Collects the routes registered after this call into an OpenAPI 3.1 document, from the schemas that validate
 * requests.
 */
export async function registerOpenApi(app: FastifyInstance, context: Context): Promise<void> {
  await app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Causeway',
        version: apiVersion,
        description: 'Collect payments that customers make by bank or wallet transfer.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      tags,
      servers: [{ url: context.service.settings.publicUrl }],
      components: { securitySchemes: { apiKey: { type: 'http', scheme: 'basic' } } },
      security: [{ apiKey: [] }],
    },
    // Includes only documented routes: pages, GraphQL and assets have no tags.
    transform: ({ schema, url }) => ({ schema: schema?.tags ? schema : { ...schema, hide: true }, url }),
    transformObject: (result) => {
      if (!('openapiObject' in result)) throw new Error('the document is not OpenAPI 3');
      return completeDocument(result.openapiObject as OpenApiDocument) as typeof result.openapiObject;
    },
  });
}

/** Serves the document, and its viewer, which loads nothing from other origins. */
export async function serveApiReference(app: FastifyInstance, publicUrl: string): Promise<void> {
  const sendJson = createCachedTextHandler('application/json; charset=utf-8', () =>
    JSON.stringify(app.swagger()),
  );
  const sendYaml = createCachedTextHandler('application/x-yaml', () => app.swagger({ yaml: true }));
  app.get('/openapi.json', { schema: { hide: true } }, (request, reply) =>
    // Viewers of other origins read the document, which has no secrets.
    sendJson(request, reply.header('access-control-allow-origin', '*')),
  );
  await app.register(async (scope) => {
    const policy = getReferencePolicy(publicUrl);
    scope.addHook('onRequest', async (_request, reply) => {
      reply.header('content-security-policy', policy);
    });
    // Replaces the plugin's handlers, which would serialize the document for each request.
    scope.addHook('preHandler', async (request, reply) => {
      const { url } = request.routeOptions;
      if (url === '/docs/json') await sendJson(request, reply);
      if (url === '/docs/yaml') await sendYaml(request, reply);
    });
    await scope.register(fastifySwaggerUi, {
      routePrefix: '/docs',
      // By default, the page sends the document to a validator of another origin.
      uiConfig: { validatorUrl: null },
    });
  });
}

/** Allows only own scripts and connections, because users enter an API secret into the page. */
function getReferencePolicy(publicUrl: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    `connect-src 'self' ${publicUrl}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
