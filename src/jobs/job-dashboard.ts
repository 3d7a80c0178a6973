import type { ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { Agenda } from 'agenda';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../kit/errors.ts';
import { createAgenda } from './agenda.ts';
import { loadJobDashboard } from './dashboard-page/load-job-dashboard.ts';
import type { JobStoreConfig } from './job-store.ts';
import { openJobStore } from './open-job-store.ts';

/** The page uses only its own scripts, styles and icons; its script also sets inline styles. */
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

export type OperatorGuard = {
  /** Runs before every request under /jobs, and rejects or redirects users who are not operators. */
  authorize: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  /** Calls `end` once the user is no longer authorized. Returns a function that stops the check. */
  follow: (request: FastifyRequest, end: () => void) => () => void;
};

/** `agenda` belongs to the worker, or comes from `openDashboardAgenda` in a process without one. */
type JobDashboardOptions = OperatorGuard & { agenda: Agenda };

/**
 * Registers Agendash under /jobs/. A parent that uses @fastify/static must set `decorateReply: false`,
 * because Agendash brings its own copy.
 */
export async function registerJobDashboard(
  app: FastifyInstance,
  { agenda, authorize, follow }: JobDashboardOptions,
): Promise<void> {
  const agendash = await loadAgendash();
  const page = await loadJobDashboard();
  if (page.unmatchedChanges.length > 0)
    app.log.warn(
      { unmatchedChanges: page.unmatchedChanges },
      'some controls of the job dashboard are those of another Agendash',
    );
  await app.register(
    async (scope) => {
      const endStreams = trackStreams(scope);
      scope.addHook('preClose', async () => endStreams());
      scope.addHook('preHandler', authorize);
      scope.addHook('preHandler', async (request, reply) => {
        if (!isStream(request)) return;
        const { raw } = reply;
        // A client that has already disconnected emits no more `close` event.
        if (raw.destroyed) return reply.hijack();
        const unsubscribe = follow(request, () => raw.end());
        raw.once('close', unsubscribe);
      });
      scope.addHook('preHandler', async (request, reply) => {
        // The page's relative URLs need the trailing slash.
        const path = request.url.split('?')[0];
        if (path === '/jobs') await reply.redirect('/jobs/');
        else if (path === '/jobs/' || path === '/jobs/index.html')
          await reply.type('text/html; charset=utf-8').send(page.html);
      });
      scope.addHook('onSend', async (_request, reply) => {
        reply.headers({
          'content-security-policy': contentSecurityPolicy,
          'cache-control': 'no-store',
          'referrer-policy': 'no-referrer',
          'x-content-type-options': 'nosniff',
        });
      });
      scope.addHook('preHandler', rejectNewJobs);
      // Accepts only JSON bodies, because a form on another site could post other types with the operator's cookie.
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser(
        'application/json',
        { parseAs: 'string' },
        scope.getDefaultJsonParser('error', 'error'),
      );
      for (const [name, { type, content }] of Object.entries(page.files))
        scope.get(`/${name}`, async (_request, reply) => reply.type(type).send(content));
      await scope.register(agendash(agenda));
    },
    { prefix: '/jobs' },
  );
}

/** A job that the service does not know never runs. */
async function rejectNewJobs({ routeOptions }: FastifyRequest): Promise<void> {
  if (routeOptions.url === '/jobs/api/jobs/create')
    throw new DomainError('route_not_found', 'Jobs cannot be created here. Requeue a job to run it now.');
}

/** Opens an Agenda with which the job dashboard shows and changes jobs in a process that runs none. */
export async function openDashboardAgenda(
  config: JobStoreConfig,
  onError: (error: Error) => void,
): Promise<{ agenda: Agenda; stop: () => Promise<void> }> {
  const store = await openJobStore(config, onError);
  const agenda = createAgenda(store, { processName: config.processName, runsJobs: false, onError });
  // Agendash reads statistics only from a started Agenda. Without definitions, Agenda polls and locks no jobs.
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

/** Imports the file of the Fastify plugin, because the package's main file imports express, which is not installed. */
async function loadAgendash(): Promise<Agendash> {
  const mainFileUrl = pathToFileURL(createRequire(import.meta.url).resolve('agendash'));
  const { createFastifyPlugin } = await import(new URL('middlewares/fastify.js', mainFileUrl).href);
  return createFastifyPlugin;
}

/** Tracks open event streams and returns a function that ends them, because the server cannot close before. */
function trackStreams(scope: FastifyInstance): () => void {
  const streams = new Set<ServerResponse>();
  scope.addHook('onRequest', async (request, reply) => {
    if (!isStream(request)) return;
    streams.add(reply.raw);
    reply.raw.once('close', () => streams.delete(reply.raw));
    // Agendash may write to a stream that has just ended.
    reply.raw.on('error', () => {});
  });
  return () => {
    for (const stream of streams) stream.end();
  };
}

function isStream({ url }: FastifyRequest): boolean {
  return url.includes('/api/events');
}
