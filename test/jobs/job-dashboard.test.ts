import '../setup/dashboard-texts.ts';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Locator } from 'playwright-core';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { jobTexts } from '../../src/dashboard/pages/operator/job-texts.ts';
import { signOut } from '../../src/domain/accounts/user/sign-out.ts';
import { createAgenda } from '../../src/jobs/agenda.ts';
import { changeAgendash } from '../../src/jobs/dashboard-page/agendash-changes.ts';
import { loadJobDashboard } from '../../src/jobs/dashboard-page/load-job-dashboard.ts';
import { serviceJobs } from '../../src/jobs/definitions.ts';
import { openDashboardAgenda, registerJobDashboard } from '../../src/jobs/job-dashboard.ts';
import { openJobStore } from '../../src/jobs/open-job-store.ts';
import { createOperatorGuard } from '../../src/jobs/operator-guard.ts';
import { dayMs, minuteMs } from '../../src/kit/duration.ts';
import { DomainError } from '../../src/kit/errors.ts';
import { findAccessibilityErrors, findOverflow } from '../setup/accessibility.ts';
import { setupApp, type TestApp } from '../setup/app.ts';
import { launchChromium } from '../setup/chromium.ts';
import { throwError } from '../setup/errors.ts';
import { createFakeClock, type FakeClock } from '../setup/fake-clock.ts';
import { fileTest, serviceTest } from '../setup/fixtures.ts';
import { signInAs } from '../setup/sign-in.ts';
import { describeStores } from './stores.ts';

const operator = { authorization: 'Bearer operator' };

describeStores('The job dashboard', (storeTest) => {
  const test = storeTest.extend('app', async ({ store }, { onCleanup }) => {
    const dashboard = await openDashboardAgenda(store.configFor('dashboard'), throwError);
    const app = await buildDashboardApp(dashboard.agenda);
    await dashboard.agenda.every('1 hour', 'purge-jobs');
    onCleanup(async () => {
      await app.close();
      await dashboard.stop();
    });
    return app;
  });

  test.for([
    ['GET', '/jobs'],
    ['GET', '/jobs/'],
    ['GET', '/jobs/index.html'],
    ['GET', '/jobs/api'],
    ['GET', '/jobs/api/stats'],
    ['GET', '/jobs/api/events'],
    ['POST', '/jobs/api/jobs/create'],
    ['POST', '/jobs/api/jobs/delete'],
  ] as const)('%s %s returns 401 without an operator', async ([method, url], { app }) => {
    const response = await app.inject({ method, url, ...(method === 'POST' && { payload: {} }) });
    expect(response.statusCode).toBe(401);
  });

  test('scripts and styles are served to operators only', async ({ app }) => {
    const page = await app.inject({ url: '/jobs/', headers: operator });
    const assets = [...page.body.matchAll(/(?:src|href)="\.\/([^"]+)"/g)].map(([, path]) => `/jobs/${path}`);
    expect(assets).toHaveLength(4);
    for (const url of assets) {
      expect((await app.inject({ url })).statusCode).toBe(401);
      expect((await app.inject({ url, headers: operator })).statusCode).toBe(200);
    }
  });

  test('the page loads nothing from another origin, and cannot be framed', async ({ app }) => {
    for (const url of ['/jobs/', '/jobs/index.html', '/jobs/api']) {
      const policy = (await app.inject({ url, headers: operator })).headers['content-security-policy'];
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/https?:|\*/);
    }
  });

  test('the URL without a slash redirects to the page', async ({ app }) => {
    const response = await app.inject({ url: '/jobs', headers: operator });
    expect(response.statusCode).toBe(302);
    expect(response.headers.location).toBe('/jobs/');
  });

  test('an operator receives the jobs, and statistics of a process that runs none', async ({ app }) => {
    const { jobs } = (await app.inject({ url: '/jobs/api', headers: operator })).json();
    expect(jobs).toMatchObject([{ job: { name: 'purge-jobs', repeatInterval: '1 hour' }, repeating: true }]);
    const stats = await app.inject({ url: '/jobs/api/stats?fullDetails=true', headers: operator });
    expect(stats.json()).toMatchObject({ queueName: 'dashboard', jobStatus: {}, runningJobs: [] });
  });

  test('a job cannot be created', async ({ app }) => {
    const response = await app.inject({
      method: 'POST',
      url: '/jobs/api/jobs/create',
      headers: operator,
      payload: { jobName: 'unknown' },
    });
    expect(response.statusCode).toBe(404);
    expect(response.json().message).toContain('Requeue');
    const { jobs } = (await app.inject({ url: '/jobs/api', headers: operator })).json();
    expect(jobs).toHaveLength(1);
  });

  test('a body that a form could post is rejected with 415', async ({ app }) => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
      const response = await app.inject({
        method: 'POST',
        url: '/jobs/api/jobs/delete',
        headers: { ...operator, 'content-type': type },
        payload: '{"jobIds":[]}',
      });
      expect(response.statusCode).toBe(415);
    }
  });

  test('an open event stream does not prevent the server from closing', async ({ store }) => {
    const config = store.configFor('worker');
    const jobs = await openJobStore(config, throwError);
    const agenda = createAgenda(jobs, { processName: 'worker', runsJobs: true, onError: throwError });
    await agenda.start();
    const closing = await buildDashboardApp(agenda);
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

async function buildDashboardApp(
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

test('The page Jobs says what each job of the service does', () => {
  expect(Object.keys(jobTexts).sort()).toEqual(serviceJobs.map(({ name }) => name).sort());
});

test('The script of Agendash contains every text that we replace, and without them remains as it is', async () => {
  expect((await loadJobDashboard()).unmatchedChanges).toEqual([]);
  const other = changeAgendash('another version');
  expect(other.script).toMatch(/another version$/);
  expect(other.unmatchedChanges.length).toBeGreaterThan(20);
});

/** Every control that changes jobs, with the start of its name, and the button that confirms it. */
const controls = [
  ['Requeue expire-charges, next run', 'Requeue'],
  ['Retry send-mail, last run', 'Retry'],
  ['Pause expire-charges, next run', 'Pause'],
  ['Resume expire-charges, next run', 'Resume'],
  ['Delete send-mail, next run', 'Delete'],
  ['Multiple Requeue', 'Requeue 3 jobs'],
  ['Multiple Retry', 'Retry 1 job'],
  ['Multiple Pause', 'Pause 6 jobs'],
  ['Multiple Resume', 'Resume 6 jobs'],
  ['Multiple Delete', 'Delete 6 jobs'],
] as const;

const browserTest = serviceTest.extend('site', { scope: 'file' }, async ({ service }, { onCleanup }) => {
  const { connectionString } = service;
  const dashboard = await openDashboardAgenda({ connectionString, processName: 'page' }, throwError);
  const { agenda } = dashboard;
  await agenda.every('5 seconds', 'expire-charges');
  for (const name of ['send-mail', 'send-sms']) {
    const { attrs } = await agenda.create(name).save();
    const failed = {
      ...attrs,
      nextRunAt: null,
      lastRunAt: new Date(),
      failedAt: new Date(),
      failCount: 1,
      failReason: 'no answer',
    };
    await agenda.db.saveJobState({ ...failed, lastFinishedAt: new Date() }, undefined);
  }
  const app = Fastify();
  const changeRoutes: string[] = [];
  app.addHook('onRoute', ({ method, url }) => {
    if (method === 'POST') changeRoutes.push(url);
  });
  await registerJobDashboard(app, { agenda, authorize: async () => {}, follow: () => () => {} });
  const origin = await app.listen({ port: 0 });
  const browser = await launchChromium();
  onCleanup(async () => {
    await browser.close();
    await app.close();
    await dashboard.stop();
  });
  return { origin, browser, changeRoutes };
});

function hasFocus(control: Locator): Promise<boolean> {
  return control.evaluate((element) => element === document.activeElement);
}

describe('Job dashboard in a browser', () => {
  const test = browserTest;

  test('shows the jobs under its content security policy, in the color scheme of the dashboard, with a way back', async ({
    site,
  }) => {
    const page = await site.browser.newPage({ colorScheme: 'dark' });
    const requested: string[] = [];
    const violations: string[] = [];
    page.on('request', (request) => requested.push(new URL(request.url()).origin));
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) violations.push(message.text());
    });
    await page.goto(`${site.origin}/jobs`);
    const row = page.getByRole('row').filter({ hasText: 'expire-charges' });
    await row.waitFor();
    expect(await row.getByText('5 seconds').count()).toBe(1);
    expect(new Set(requested)).toEqual(new Set([site.origin]));
    expect(violations).toEqual([]);
    const getBackground = () =>
      page.locator('main').evaluate((main) => getComputedStyle(main).backgroundColor);
    expect(await getBackground()).toBe('rgb(23, 32, 29)');
    await page.evaluate(() => localStorage.setItem('mantine-color-scheme-value', 'light'));
    await page.reload();
    await row.waitFor();
    expect(await getBackground()).toBe('rgb(255, 255, 255)');
    const back = page.getByRole('link', { name: 'Dashboard' });
    expect(await back.getAttribute('href')).toBe('/dashboard/jobs');
    await page.close();
  });

  test('a refresh keeps the focus, the scroll position and the selected jobs', async ({ site }) => {
    const page = await site.browser.newPage({ viewport: { width: 1280, height: 400 } });
    await page.clock.install();
    await page.goto(`${site.origin}/jobs/`);
    const box = page.getByLabel('Select send-mail');
    const details = page.getByRole('button', { name: /^Details send-mail/ });
    await box.check();
    await details.focus();
    const main = page.locator('main');
    const readState = async () => [
      await hasFocus(details),
      await box.isChecked(),
      await main.evaluate(({ scrollTop }) => scrollTop > 0),
    ];
    expect(await readState()).toEqual([true, true, true]);

    const loaded = Promise.withResolvers<void>();
    await page.route('**/jobs/api?*', async (route) => {
      const list = await (await route.fetch()).json();
      const { job, ...state } = list.jobs[0];
      await loaded.promise;
      await route.fulfill({
        json: { ...list, jobs: [...list.jobs, { ...state, job: { ...job, _id: 'new', name: 'first' } }] },
      });
    });
    const requested = page.waitForRequest('**/jobs/api?*');
    await page.clock.runFor(30_000);
    await requested;
    // Agendash itself would remove the list while it loads longer than this.
    await page.clock.runFor(1_000);
    expect(await readState()).toEqual([true, true, true]);
    loaded.resolve();
    await page.getByText('first').first().waitFor();
    expect(await readState()).toEqual([true, true, true]);

    await page.unroute('**/jobs/api?*');
    await page.route('**/jobs/api?*', async (route) => {
      const list = await (await route.fetch()).json();
      const jobs = list.jobs.filter(({ job }: { job: { name: string } }) => job.name !== 'send-mail');
      await route.fulfill({ json: { ...list, jobs } });
    });
    await page.clock.runFor(30_000);
    await box.waitFor({ state: 'detached' });
    expect(await hasFocus(page.getByRole('button', { name: /^Details send-sms/ }))).toBe(true);
    expect(await page.getByText('0 jobs selected').count()).toBe(1);
    await page.close();
  });

  test('has no accessibility errors, and is used by keyboard on a phone', async ({ site }) => {
    const page = await site.browser.newPage({ viewport: { width: 390, height: 844 } });
    await page.goto(`${site.origin}/jobs/`);
    const dialog = page.getByRole('dialog');
    const check = async (name: string) => {
      await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
      const errors = [...(await findAccessibilityErrors(page)), ...(await findOverflow(page))];
      await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
      errors.push(...(await findAccessibilityErrors(page, { rules: ['color-contrast'] })));
      expect(errors, name).toEqual([]);
    };
    await page.getByLabel('Select all').check();
    await check('list on a phone');

    const menu = page.getByRole('button', { name: 'Menu', exact: true });
    await menu.press('Enter');
    await expect.poll(() => hasFocus(dialog.getByRole('button', { name: 'Close menu' }))).toBe(true);
    await page.keyboard.press('Shift+Tab');
    expect(await dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true);
    await check('menu');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    expect(await hasFocus(menu)).toBe(true);

    await page.setViewportSize({ width: 1280, height: 800 });
    await check('list on a desktop');
    for (const name of ['Details send-mail', 'Multiple Delete']) {
      await page.getByRole('button', { name }).press('Enter');
      await dialog.waitFor();
      await check(name);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'hidden' });
    }
    await page.getByRole('button', { name: 'Agenda Status' }).press('Enter');
    await page.getByText('Max Concurrency').waitFor();
    await check('job runner');
    await page.close();
  });

  test('every control that changes jobs asks first, and is used by keyboard', async ({ site }) => {
    const page = await site.browser.newPage({ viewport: { width: 1440, height: 900 } });
    const changes: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') changes.push(new URL(request.url()).pathname);
    });
    await page.goto(`${site.origin}/jobs/`);
    await page.getByRole('row').filter({ hasText: 'expire-charges' }).waitFor();
    const dialog = page.getByRole('dialog');
    for (const [name, confirm] of controls) {
      const control = page.getByRole('button', { name }).first();
      const open = async () => {
        if (name.startsWith('Multiple')) await page.getByLabel('Select all').check();
        await control.press('Enter');
        await dialog.waitFor();
      };
      const countBefore = changes.length;
      for (const key of ['Enter', 'Escape']) {
        await open();
        const cancel = dialog.getByRole('button', { name: 'Cancel' });
        await expect.poll(() => hasFocus(cancel)).toBe(true);
        await page.keyboard.press(key);
        await dialog.waitFor({ state: 'hidden' });
        expect(await hasFocus(control), name).toBe(true);
      }
      expect(changes, name).toHaveLength(countBefore);
      await open();
      const confirmButton = dialog.getByRole('button', { name: confirm, exact: true });
      const answer = page.waitForResponse((response) => response.request().method() === 'POST');
      await confirmButton.press('Enter');
      expect((await answer).status(), name).toBe(200);
      await dialog.waitFor({ state: 'hidden' });
      expect(await page.evaluate(() => document.activeElement?.tagName), name).not.toBe('BODY');
    }
    await page.getByText('No jobs found').waitFor();
    expect(await page.getByRole('button', { name: 'New Job' }).count()).toBe(0);
    const asked = new Set([...changes, '/jobs/api/jobs/create']);
    expect(asked).toEqual(new Set(site.changeRoutes));
    await page.close();
  });
});

type JobSite = {
  clock: FakeClock;
  served: TestApp;
  url: string;
  runJob: () => Promise<unknown>;
};

const operatorsTest = fileTest
  .extend('site', { scope: 'file' }, async ({ onFileCleanup }) => {
    const site = {} as JobSite;
    site.clock = createFakeClock(new Date());
    site.served = await setupApp(onFileCleanup, { clock: site.clock });
    const store = await openJobStore(
      { connectionString: site.served.connectionString, processName: 'worker' },
      throwError,
    );
    const agenda = createAgenda(store, { processName: 'worker', runsJobs: true, onError: throwError });
    agenda.define('tick', async () => {});
    await agenda.start();
    onFileCleanup(async () => {
      await agenda.stop(false);
      await store.close();
    });
    site.runJob = () => agenda.now('tick');
    await registerJobDashboard(site.served.app, { agenda, ...createOperatorGuard(site.served.context) });
    site.url = await site.served.app.listen({ port: 0, host: '127.0.0.1' });
    return site;
  })
  .extend('eachTest', { auto: true }, async ({ site: _site }, { onCleanup }) => {
    onCleanup(() => void vi.useRealTimers());
  });

describe('Operators', () => {
  const test = operatorsTest;

  test('receive runs until they sign out, without effect on others', async ({ site }) => {
    const [first, second] = [await follow(site), await follow(site)];
    await site.runJob();
    expect(await first.next()).toContain('tick');
    expect(await second.next()).toContain('tick');
    await signOut(site.served.context.service, { token: first.token });
    await first.rest();
    await site.runJob();
    expect(await second.next()).toContain('tick');
    await second.leave();
  });

  test('receive nothing after their session has expired', async ({ site }) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const stream = await follow(site);
    site.clock.advance(15 * dayMs);
    vi.advanceTimersByTime(minuteMs);
    await stream.rest();
  });

  test('are not subscribed when they disconnected before the stream began', async ({ site }) => {
    const { hub } = site.served.context;
    const { subscribe } = hub;
    let followed = 0;
    hub.subscribe = (topic, listener) => {
      if (topic.startsWith('usr_')) followed++;
      return subscribe(topic, listener);
    };
    onTestFinished(() => {
      hub.subscribe = subscribe;
    });
    const cookie = (await signInAs('operator', site.served)).cookie()!;
    for (let i = 0; i < 3; i++) {
      const requested = once(site.served.app.server, 'request');
      const response = fetch(`${site.url}/jobs/api/events`, { headers: { cookie } }).catch(() => 'cut');
      const [{ socket }] = (await requested) as [IncomingMessage];
      socket.destroy();
      expect(await response).toBe('cut');
    }
    // This stream was opened after the others ended.
    const stream = await follow(site);
    expect(followed).toBe(1);
    await stream.leave();
  });

  /** Signs in as an operator and opens the stream. */
  async function follow(site: JobSite) {
    const cookie = (await signInAs('operator', site.served)).cookie()!;
    const { status, body } = await fetch(`${site.url}/jobs/api/events`, { headers: { cookie } });
    expect(status).toBe(200);
    const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader.read()).value).toContain('connected');
    return {
      token: cookie.split('=')[1]!,
      next: async () => (await reader.read()).value,
      /** Waits for the end of the stream. */
      async rest() {
        let text = '';
        for (let part = await reader.read(); !part.done; part = await reader.read()) text += part.value;
        return text;
      },
      leave: () => reader.cancel(),
    };
  }
});
