import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAgenda } from '../../src/jobs/agenda.ts';
import { openDashboardAgenda, registerJobDashboard } from '../../src/jobs/job-dashboard.ts';
import { openJobStore } from '../../src/jobs/open-job-store.ts';
import { DomainError } from '../../src/kit/errors.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { throwError } from '../setup/errors.ts';
import { describeStores, type TestStore } from './stores.ts';

const onCleanup = cleanupAfterFile();

const operator = { authorization: 'Bearer operator' };

describeStores(onCleanup, 'The job dashboard', (openStore) => {
  let store: TestStore;
  let app: FastifyInstance;
  let stop: () => Promise<void>;

  beforeAll(async () => {
    store = await openStore();
    const dashboard = await openDashboardAgenda(store.configFor('dashboard'), throwError);
    stop = dashboard.stop;
    app = await appWithDashboard(dashboard.agenda);
    await dashboard.agenda.every('1 hour', 'purge-jobs');
  });
  afterAll(async () => {
    await app.close();
    await stop();
  });

  test.each([
    ['GET', '/jobs'],
    ['GET', '/jobs/'],
    ['GET', '/jobs/index.html'],
    ['GET', '/jobs/api'],
    ['GET', '/jobs/api/stats'],
    ['GET', '/jobs/api/events'],
    ['POST', '/jobs/api/jobs/create'],
    ['POST', '/jobs/api/jobs/delete'],
  ] as const)('%s %s is refused without an operator', async (method, url) => {
    const answer = await app.inject({ method, url, ...(method === 'POST' && { payload: {} }) });
    expect(answer.statusCode).toBe(401);
  });

  test('the scripts and styles are refused without an operator, and served to one', async () => {
    const page = await app.inject({ url: '/jobs/', headers: operator });
    const assets = [...page.body.matchAll(/(?:src|href)="\.\/([^"]+)"/g)].map(([, path]) => `/jobs/${path}`);
    expect(assets).toHaveLength(2);
    for (const url of assets) {
      expect((await app.inject({ url })).statusCode).toBe(401);
      expect((await app.inject({ url, headers: operator })).statusCode).toBe(200);
    }
  });

  test('the page may load nothing from another origin, nor stand in a frame', async () => {
    for (const url of ['/jobs/', '/jobs/index.html', '/jobs/api']) {
      const policy = (await app.inject({ url, headers: operator })).headers['content-security-policy'];
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/https?:|\*/);
    }
  });

  test('the address without its slash leads to the page', async () => {
    const answer = await app.inject({ url: '/jobs', headers: operator });
    expect(answer.statusCode).toBe(302);
    expect(answer.headers.location).toBe('/jobs/');
  });

  test('an operator sees the jobs, and the figures of a process that runs none', async () => {
    const { jobs } = (await app.inject({ url: '/jobs/api', headers: operator })).json();
    expect(jobs).toMatchObject([{ job: { name: 'purge-jobs', repeatInterval: '1 hour' }, repeating: true }]);
    const stats = await app.inject({ url: '/jobs/api/stats?fullDetails=true', headers: operator });
    expect(stats.json()).toMatchObject({ queueName: 'dashboard', jobStatus: {}, runningJobs: [] });
  });

  test('a body that a form could post is refused', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
      const answer = await app.inject({
        method: 'POST',
        url: '/jobs/api/jobs/create',
        headers: { ...operator, 'content-type': type },
        payload: '{"jobName":"purge-jobs"}',
      });
      expect(answer.statusCode).toBe(415);
    }
  });

  test('an open event stream does not keep the server from closing', async () => {
    const config = store.configFor('worker');
    const jobs = await openJobStore(config, throwError);
    const agenda = createAgenda(jobs, { processName: 'worker', runsJobs: true, onError: throwError });
    await agenda.start();
    const closing = await appWithDashboard(agenda);
    const origin = await closing.listen({ port: 0 });
    const events = await fetch(`${origin}/jobs/api/events`, { headers: operator });
    expect(events.headers.get('content-type')).toBe('text/event-stream');
    const ended = events.text();
    await closing.close();
    expect(await ended).toContain('connected');
    await agenda.stop(false);
    await jobs.close();
  });
});

async function appWithDashboard(
  agenda: Parameters<typeof registerJobDashboard>[1]['agenda'],
): Promise<FastifyInstance> {
  const app = Fastify();
  app.addContentTypeParser('application/x-www-form-urlencoded', (_request, _payload, done) => done(null, {}));
  app.setErrorHandler((error, _request, reply) => {
    const status =
      error instanceof DomainError ? error.status : (error as { statusCode?: number }).statusCode;
    return reply.status(status ?? 500).send({ message: (error as Error).message });
  });
  await registerJobDashboard(app, {
    agenda,
    follow: () => () => {},
    async authorize(request) {
      if (request.headers.authorization !== operator.authorization) {
        throw new DomainError('unauthenticated', 'Sign in as an operator');
      }
    },
  });
  return app;
}
