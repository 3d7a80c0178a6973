import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Agenda } from 'agenda';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { demoReceiver } from '../../src/demo/receiver.ts';
import { openDashboardAgenda, registerJobDashboard } from '../../src/jobs/job-dashboard.ts';
import { createOperatorGuard } from '../../src/jobs/operator-guard.ts';
import type { Clock } from '../../src/kit/clock.ts';
import type { TestApp } from './app.ts';
import type { OnCleanup } from './cleanup.ts';
import { throwError } from './errors.ts';
import { type GraphqlApp, setupGraphqlApp } from './graphql.ts';

export type Route = { method: string; url: string };

/** Sets up the application as an API process serves it, and returns it with all of its routes. */
export async function setupFullApp(
  onCleanup: OnCleanup,
  options: { clock?: Clock; log?: Logger; requestTimeoutMs?: number } = {},
): Promise<GraphqlApp & { routes: Route[] }> {
  const routes: Route[] = [];
  const recordRoutes = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook('onRoute', ({ method, url }) => {
      for (const routeMethod of [method].flat())
        if (routeMethod !== 'HEAD') routes.push({ method: routeMethod, url });
    });
  };
  subscribe('fastify.initialization', recordRoutes);
  try {
    const app = await setupGraphqlApp(onCleanup, {
      ...options,
      prepare: async (testApp) => {
        await serveJobDashboard(onCleanup, testApp);
        await testApp.app.register(demoReceiver(testApp.context));
      },
    });
    return { ...app, routes };
  } finally {
    unsubscribe('fastify.initialization', recordRoutes);
  }
}

/**
 * Adds the job dashboard to an application that does not listen yet, as the service does when it starts. Returns its
 * Agenda.
 */
export async function serveJobDashboard(
  onCleanup: OnCleanup,
  { app, context, connectionString }: TestApp,
): Promise<Agenda> {
  const { agenda, stop } = await openDashboardAgenda({ connectionString, processName: 'test' }, throwError);
  onCleanup(stop);
  await registerJobDashboard(app, { agenda, ...createOperatorGuard(context) });
  return agenda;
}
