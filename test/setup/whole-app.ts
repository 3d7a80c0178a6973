import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';

import { demoReceiver } from '../../src/demo/receiver.ts';
import type { Clock } from '../../src/kit/clock.ts';
import { type GraphqlApp, graphqlApp } from './graphql.ts';
import { serveJobs } from './serve-jobs.ts';

export type Route = { method: string; url: string };

/** Every route of a process that serves: its application with all that a start adds to it. */
export async function wholeApp(
  options: { clock?: Clock; log?: Logger; answerMsMax?: number } = {},
): Promise<GraphqlApp & { routes: Route[] }> {
  const routes: Route[] = [];
  const listen = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook('onRoute', ({ method, url }) => {
      for (const one of [method].flat()) if (one !== 'HEAD') routes.push({ method: one, url });
    });
  };
  subscribe('fastify.initialization', listen);
  try {
    const app = await graphqlApp({
      ...options,
      prepare: async (served) => {
        await serveJobs(served);
        await served.app.register(demoReceiver(served.context));
      },
    });
    return { ...app, routes };
  } finally {
    unsubscribe('fastify.initialization', listen);
  }
}
