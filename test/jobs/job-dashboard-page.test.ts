import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { openDashboardAgenda, registerJobDashboard } from '../../src/jobs/job-dashboard.ts';
import { launchChromium } from '../setup/chromium.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { throwError } from '../setup/errors.ts';
import { setupService } from '../setup/service.ts';

const onCleanup = cleanupAfterFile();

const service = await setupService(onCleanup);

test('the job dashboard shows the jobs in a browser, under its content policy and from its own origin alone', async () => {
  const { connectionString } = service;
  const dashboard = await openDashboardAgenda({ connectionString, processName: 'page' }, throwError);
  await dashboard.agenda.every('5 seconds', 'expire-charges');
  const app = Fastify();
  await registerJobDashboard(app, {
    agenda: dashboard.agenda,
    authorize: async () => {},
    follow: () => () => {},
  });
  const origin = await app.listen({ port: 0 });
  const browser = await launchChromium();
  const page = await browser.newPage();
  const requested: string[] = [];
  const violations: string[] = [];
  page.on('request', (request) => requested.push(new URL(request.url()).origin));
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) violations.push(message.text());
  });
  await page.goto(`${origin}/jobs`);
  const row = page.getByRole('row').filter({ hasText: 'expire-charges' });
  await row.waitFor();
  expect(await row.textContent()).toContain('5 seconds');
  expect(new Set(requested)).toEqual(new Set([origin]));
  expect(violations).toEqual([]);
  await browser.close();
  await app.close();
  await dashboard.stop();
});
