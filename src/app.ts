import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify';
import { mountGraphql } from '../schema/mount.ts';
import type { Context } from './context.ts';
import { mountDashboard } from './dashboard-server/mount-dashboard.ts';
import { mountPages } from './pages/mount.ts';
import { registerRest } from './rest/register.ts';

/** Largest body of a request; statement files come by their own, streamed way. */
const bodyLimitBytes = 256 * 1024;

/** Builds the HTTP application from its parts and never listens; tests use `inject`. */
export async function buildApp(
  context: Context,
  options: Pick<FastifyServerOptions, 'logger'> = {},
): Promise<FastifyInstance> {
  const { trustProxy } = context.options;
  const app = Fastify({
    logger: options.logger ?? false,
    bodyLimit: bodyLimitBytes,
    forceCloseConnections: true,
    ...(trustProxy.length > 0 && { trustProxy }),
    routerOptions: { maxParamLength: 200 },
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, allErrors: true } },
  });
  await registerRest(app, context);
  await mountPages(app, context);
  await mountGraphql(app, context);
  mountDashboard(app, context);
  return app;
}
