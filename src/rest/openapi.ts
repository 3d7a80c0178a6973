import fastifySwagger from '@fastify/swagger';
import fastifySwaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../context.ts';
import { apiVersion } from './version.ts';

/** Collects the routes that are registered after it into an OpenAPI 3.1 document, from the schemas that validate. */
export async function describeApi(app: FastifyInstance, context: Context): Promise<void> {
  await app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Causeway',
        version: apiVersion,
        description: 'Collect payments that customers make by bank or wallet transfer.',
      },
      servers: [{ url: context.service.settings.publicUrl }],
      components: { securitySchemes: { apiKey: { type: 'http', scheme: 'basic' } } },
      security: [{ apiKey: [] }],
    },
    // Only documented routes: pages, GraphQL and assets carry no tags.
    transform: ({ schema, url }) => ({ schema: schema?.tags ? schema : { ...schema, hide: true }, url }),
  });
}

/** The document at /openapi.json and its reader at /docs, which loads nothing from another origin. */
export async function serveApiReference(app: FastifyInstance): Promise<void> {
  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger());
  await app.register(fastifySwaggerUi, {
    routePrefix: '/docs',
    // Its default asks another origin to judge the document.
    uiConfig: { validatorUrl: null },
  });
}
