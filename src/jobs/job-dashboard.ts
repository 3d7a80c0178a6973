import type { ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { Agenda } from 'agenda';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createAgenda } from './agenda.ts';
import type { JobStoreConfig } from './job-store.ts';
import { openJobStore } from './open-job-store.ts';

/** The page needs no more than its own script, style and icons; styles are also set on elements by its script. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Who may see the jobs. */
export type OperatorGuard = {
  /** Lets operators pass and throws for everybody else; asked before everything under /jobs. */
  authorize: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  /** Calls `end` once whoever passed would pass no more. Returns what ends the looking. */
  follow: (request: FastifyRequest, end: () => void) => () => void;
};

/** `agenda`: the worker's, or that of `openDashboardAgenda` where no worker is. */
export type JobDashboardOptions = OperatorGuard & { agenda: Agenda };

/**
 * Agendash under /jobs/. A parent that serves files with @fastify/static must not have decorated replies for this
 * scope (`decorateReply: false`): Agendash brings its own copy.
 */
export async function registerJobDashboard(
  app: FastifyInstance,
  { agenda, authorize, follow }: JobDashboardOptions,
): Promise<void> {
  const agendash = await loadAgendash();
  await app.register(
    async (scope) => {
      const endStreams = trackStreams(scope);
      scope.addHook('preClose', async () => endStreams());
      scope.addHook('preHandler', authorize);
      scope.addHook('preHandler', async (request, reply) => {
        if (!isStream(request)) return;
        const { raw } = reply;
        // Who has left meanwhile would never be heard leaving.
        if (raw.destroyed) return reply.hijack();
        const unsubscribe = follow(request, () => raw.end());
        raw.once('close', unsubscribe);
      });
      scope.addHook('preHandler', async (request, reply) => {
        // Without the slash the page's relative addresses point nowhere.
        if (request.url.split('?')[0] === '/jobs') await reply.redirect('/jobs/');
      });
      scope.addHook('onSend', async (_request, reply) => {
        reply.headers({
          'content-security-policy': contentSecurityPolicy,
          'cache-control': 'no-store',
          'referrer-policy': 'no-referrer',
          'x-content-type-options': 'nosniff',
        });
      });
      // Only JSON bodies: a form on another site could post any other kind with the operator's cookie.
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser(
        'application/json',
        { parseAs: 'string' },
        scope.getDefaultJsonParser('error', 'error'),
      );
      await scope.register(agendash(agenda));
    },
    { prefix: '/jobs' },
  );
}

/** An Agenda for a process that runs no jobs: it shows those of the store, and operators can act on them. */
export async function openDashboardAgenda(
  config: JobStoreConfig,
  onError: (error: Error) => void,
): Promise<{ agenda: Agenda; stop: () => Promise<void> }> {
  const store = await openJobStore(config, onError);
  const agenda = createAgenda(store, { processName: config.processName, runsJobs: false, onError });
  // Without definitions it looks for nothing and locks nothing, but Agendash asks only a started one for its figures.
  await agenda.start();
  return {
    agenda,
    async stop() {
      await agenda.stop(false);
      await store.close();
    },
  };
}

type Agendash = typeof import('agendash').createFastifyPlugin;

/** The package's main file imports express, which is not here; the plug-in for Fastify is a file of its own. */
async function loadAgendash(): Promise<Agendash> {
  const main = pathToFileURL(createRequire(import.meta.url).resolve('agendash'));
  const { createFastifyPlugin } = await import(new URL('middlewares/fastify.js', main).href);
  return createFastifyPlugin;
}

/** Open event streams would keep the server from closing until their browsers leave. */
function trackStreams(scope: FastifyInstance): () => void {
  const streams = new Set<ServerResponse>();
  scope.addHook('onRequest', async (request, reply) => {
    if (!isStream(request)) return;
    streams.add(reply.raw);
    reply.raw.once('close', () => streams.delete(reply.raw));
    // Agendash may write once more to one that has just ended.
    reply.raw.on('error', () => {});
  });
  return () => {
    for (const stream of streams) stream.end();
  };
}

function isStream({ url }: FastifyRequest): boolean {
  return url.includes('/api/events');
}
