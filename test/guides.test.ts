import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished } from 'vitest';
import { setupApp, type TestApp } from './setup/app.ts';
import { fileTest } from './setup/fixtures.ts';
import { seedMerchant } from './setup/seed.ts';
import { createTempDir } from './setup/temp-dir.ts';

type GuideApp = {
  app: TestApp;
  url: string;
  env: Record<string, string>;
};

const test = fileTest.extend('guide', { scope: 'file' }, async ({ onFileCleanup }) => {
  const guide = {} as GuideApp;
  guide.app = await setupApp(onFileCleanup);
  guide.url = await guide.app.app.listen({ port: 0, host: '127.0.0.1' });
  guide.env = await createMerchantEnv(guide);
  return guide;
});

const run = promisify(execFile);

/** The variables that the pages use, with the sandbox keys of a new merchant. */
async function createMerchantEnv(guide: GuideApp): Promise<Record<string, string>> {
  const { keys } = await seedMerchant(guide.app.context.service, {}, new Date());
  const { apiKey, apiSecret, publishableKey } = keys.sandbox;
  return {
    PATH: process.env.PATH ?? '',
    URL: guide.url,
    AUTH: `${apiKey}:${apiSecret}`,
    API_KEY: apiKey,
    API_SECRET: apiSecret,
    PUBLISHABLE_KEY: publishableKey,
  };
}

function blocks(page: string, language: string): string[] {
  const text = readFileSync(new URL(`../docs/${page}`, import.meta.url), 'utf8');
  return [...text.matchAll(/```(\w+)\n([\s\S]*?)```/g)]
    .filter((match) => match[1] === language)
    .map((match) => match[2]!);
}

/** Runs the commands of a page and returns the JSON that they print. */
async function runCommands(
  guide: GuideApp,
  page: string,
  cwd: string,
  variables = guide.env,
): Promise<unknown[]> {
  const script = ['set -euo pipefail', ...blocks(page, 'sh').map((block) => `${block}\necho`)].join('\n');
  const { stdout } = await run('bash', ['-c', script], { env: variables, cwd });
  return stdout
    .replaceAll('}{', '}\n{')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

test('the quick start runs in a shell with curl', async ({ guide }) => {
  expect(
    await runCommands(guide, 'guides/quick-start.md', await createTempDir(onTestFinished)),
  ).toMatchObject([
    { status: 'created', amount: 128.5 },
    { status: 'pending', merchantAmount: 128.5 },
    { transfers: [{ id: 'BANK-0001', status: 'matched' }] },
    { status: 'completed' },
    { status: 'initiated', customerAmount: 28.5 },
    { charges: [{ status: 'completed', refunds: [{ customerAmount: 28.5 }] }], pagination: { total: 1 } },
  ]);
});

test('the quick start runs in TypeScript', async ({ guide }) => {
  const file = join(await createTempDir(onTestFinished), 'quick-start.ts');
  await writeFile(file, blocks('guides/quick-start.md', 'ts').join('\n'));
  const { stdout } = await run(process.execPath, [file], { env: guide.env });
  expect(stdout).toMatch(
    /^Send the customer to http.*sessionId=ses_\w+&isSandbox=true\nch_\w+ is completed\n$/,
  );
});

test('the commands of the REST guide run', async ({ guide }) => {
  const [methods, list, first, second, cancelled, converted, ...more] = await runCommands(
    guide,
    'reference/rest.md',
    await createTempDir(onTestFinished),
  );
  expect(methods).toHaveLength(11);
  expect(list).toMatchObject({ pagination: { currentPage: 1 } });
  expect(first).toMatchObject({ status: 'pending', isDuplicate: false });
  expect(second).toEqual(first);
  expect(cancelled).toBe(true);
  expect(converted).toEqual({ amount: expect.any(Number), rate: expect.any(Number) });
  expect(more).toEqual([]);
});

test('the commands of the checkout guide run', async ({ guide }) => {
  const folder = await createTempDir(onTestFinished);
  const [session, link, ...more] = await runCommands(guide, 'guides/checkout.md', folder);
  expect(session).toMatchObject({ status: 'created', methods: ['fps', 'paynow'] });
  expect(link).toEqual({ checkoutLink: expect.stringMatching(/\/checkout\?link=lnk_\w+&isSandbox=true$/) });
  expect(more).toEqual([]);
  // The last page is that of the URL with its hash.
  expect(await readFile(join(folder, 'page.html'), 'utf8')).toContain('Choose how to pay');
});

test('the refund guide runs', async ({ guide }) => {
  expect(await runCommands(guide, 'guides/refunds.md', await createTempDir(onTestFinished))).toMatchObject([
    { status: 'completed', merchantAmount: 80 },
    { status: 'initiated', customerAmount: 20.5, detailsUrl: expect.any(String) },
    { data: { submitRefundDetails: { refund: { status: 'processing' } } } },
    { transfers: [{ status: 'outgoing' }] },
    { status: 'completed' },
  ]);
});

test('the guide to phone verification runs', async ({ guide }) => {
  const responses = await runCommands(
    guide,
    'guides/phone-verification.md',
    await createTempDir(onTestFinished),
  );
  expect(responses).toMatchObject([
    { isSuccess: true },
    { verificationCode: expect.any(String) },
    { status: 'pending', customer: { phone: '+85251234567' } },
  ]);
});

test('the guide to subscriptions runs', async ({ guide }) => {
  // The page advances the test clock, so that it needs its own merchant.
  const responses = await runCommands(
    guide,
    'guides/subscriptions.md',
    await createTempDir(onTestFinished),
    await createMerchantEnv(guide),
  );
  expect(responses).toMatchObject([
    { data: { createSubscriptionPlan: { subscriptionPlan: { id: expect.any(String) } } } },
    { subscriptionLink: expect.any(String) },
    { data: { enrol: { subscription: { status: 'inactive' } } } },
    {
      data: {
        simulateTransfer: { charge: { status: 'completed', subscription: { status: 'active' } } },
      },
    },
    { data: { advanceTestClock: { testClock: { now: expect.any(String) } } } },
    { status: 'active', numPaymentsComplete: 1, invoices: [{ chargeId: expect.any(String) }] },
  ]);
});
