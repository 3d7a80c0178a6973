import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';

import { demoReceiver } from '../../src/demo/receiver.ts';
import { openDashboardAgenda, registerJobDashboard } from '../../src/jobs/job-dashboard.ts';
import { operatorsOnly } from '../../src/jobs/operators-only.ts';
import type { Clock } from '../../src/kit/clock.ts';
import { atEnd } from './at-end.ts';
import { type GraphqlApp, graphqlApp } from './graphql.ts';

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
      prepare: async ({ app, context, connectionString }) => {
        const store = { connectionString, mongodbUrl: undefined, processName: 'test' };
        const { agenda, stop } = await openDashboardAgenda(store, (error) => console.error(error));
        atEnd(stop);
        await registerJobDashboard(app, { agenda, ...operatorsOnly(context) });
        await app.register(demoReceiver(context));
      },
    });
    return { ...app, routes };
  } finally {
    unsubscribe('fastify.initialization', listen);
  }
}
