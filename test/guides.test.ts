import { execFile, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished } from 'vitest';
import { listTabGroups } from '../scripts/docs-site/code-tabs.ts';
import { setupApp, type TestApp } from './setup/app.ts';
import { fileTest } from './setup/fixtures.ts';
import { seedMerchant } from './setup/seed.ts';
import { createTempDir } from './setup/temp-dir.ts';

type GuideApp = {
  app: TestApp;
  url: string;
  env: Record<string, string>;
};

const root = fileURLToPath(new URL('..', import.meta.url));
const guideFile = 'guides/quick-start.md';

const test = fileTest
  .extend('guide', { scope: 'file' }, async ({ onFileCleanup }) => {
    const guide = {} as GuideApp;
    guide.app = await setupApp(onFileCleanup);
    guide.url = await guide.app.app.listen({ port: 0, host: '127.0.0.1' });
    guide.env = await createMerchantEnv(guide);
    return guide;
  })
  // The folder of a reader, with the small files of the quick start and the client library.
  .extend('programs', { scope: 'file' }, async ({ onFileCleanup }) => {
    const folder = await createTempDir(onFileCleanup);
    const library = join(folder, 'node_modules/causeway-client');
    await mkdir(library, { recursive: true });
    await symlink(join(root, 'packages/client/src'), join(library, 'src'));
    await writeFile(join(library, 'package.json'), '{ "type": "module", "exports": "./src/index.ts" }');
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    for (const [language, { extension }] of Object.entries(programLanguages)) {
      const [helper = ''] = blocks(guideFile, language);
      await writeFile(join(folder, `causeway.${extension}`), helper);
      for (const [page] of tabPages)
        await writeFile(join(folder, `${page}.${extension}`), toProgram(page, language));
    }
    return folder;
  });

const run = promisify(execFile);

const programLanguages: Record<string, { title: string; extension: string; command: string }> = {
  ts: { title: 'TypeScript', extension: 'ts', command: process.execPath },
  python: { title: 'Python', extension: 'py', command: 'python3' },
};

/** The guides whose samples have tabs, with the output of their programs, and the end of the last GraphQL response. */
const tabPages: [page: string, output: RegExp, lastResponse: unknown][] = [
  [
    'quick-start',
    /^Send the customer to http\S+\nThe charge is completed\nThe refund is initiated\nch_\w+ completed\n$/,
    { charges: { nodes: [{ status: 'completed', refunds: [{ customerAmount: '28.50' }] }], totalCount: 1 } },
  ],
  [
    'checkout',
    /^http\S+sessionId=ses_\w+\S*\nhttp\S+link=lnk_\w+\S*\nhttp\S+&hash=\w+\n$/,
    { createChargeHash: { hash: expect.any(String) } },
  ],
  ['refunds', /^The refund is completed\n$/, { recordTransfers: { results: [{ status: 'outgoing' }] } }],
  ['phone-verification', /^The charge is pending\n$/, { createCharge: { charge: { status: 'pending' } } }],
  [
    'subscriptions',
    /^http\S+\nThe subscription is active and has 1 invoice\n$/,
    { advanceTestClock: { testClock: { now: expect.any(String) } } },
  ],
  [
    'transfers',
    /^BANK-0007 exception missing_reference\n$/,
    { recordTransfers: { results: [{ status: 'exception', reason: 'missing_reference' }] } },
  ],
];

/** The samples of a page as one program. The first block of the quick start is a file that the others import. */
function toProgram(page: string, language: string): string {
  const samples = blocks(`guides/${page}.md`, language);
  return (`guides/${page}.md` === guideFile ? samples.slice(1) : samples).join('\n');
}

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

test('the command of the guide to transfers runs', async ({ guide }) => {
  expect(await runCommands(guide, 'guides/transfers.md', await createTempDir(onTestFinished))).toMatchObject([
    { transfers: [{ id: 'BANK-0007', status: 'exception', reason: 'missing_reference' }] },
  ]);
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

test('the samples of every page with tabs are run', () => {
  const pages = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.md'),
  );
  const pagesWithTabs = pages.filter(
    (name) => listTabGroups(readFileSync(join(root, 'docs', name), 'utf8')).length > 0,
  );
  expect(pagesWithTabs.toSorted()).toEqual(tabPages.map(([page]) => `guides/${page}.md`).toSorted());
});

describe.each(Object.values(programLanguages))('In $title', ({ title, extension, command }) => {
  const isMissing = spawnSync(command, ['--version']).status !== 0;
  const skipped = isMissing ? ` (skipped: no ${command} here)` : '';

  test.skipIf(isMissing).for(tabPages)(
    `the samples of %s run in ${title}${skipped}`,
    async ([page, output], { guide, programs }) => {
      const env = await createMerchantEnv(guide);
      const { stdout } = await run(command, [join(programs, `${page}.${extension}`)], { env });
      expect(stdout).toMatch(output);
      if (page !== 'checkout') return;
      const checkoutUrl = stdout.trim().split('\n').at(-1)!;
      expect(await (await fetch(checkoutUrl)).text()).toContain('Choose how to pay');
    },
  );
});

test('the samples in TypeScript have correct types', async ({ programs }) => {
  const compilerOptions = {
    ...JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')).compilerOptions,
    noUnusedLocals: false,
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
  };
  const files = ['causeway', ...tabPages.map(([page]) => page)].map((name) => `${name}.ts`);
  await writeFile(join(programs, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { stdout } = await run(process.execPath, [tsc, '-p', programs]).catch((error) => error);
  expect(stdout).toBe('');
});

test.for(tabPages)('the samples of %s run in GraphQL', async ([page, , lastResponse], { guide }) => {
  const { AUTH = '' } = await createMerchantEnv(guide);
  const values: Record<string, string> = { paidAt: new Date().toISOString() };
  const responses: unknown[] = [];
  for (const query of listGraphqlSamples(page)) {
    const names = [...query.matchAll(/\$(\w+):/g)].map(([, name]) => name!);
    const variables = Object.fromEntries(names.map((name) => [name, values[name]]));
    const response = await fetch(`${guide.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Basic ${btoa(AUTH)}` },
      body: JSON.stringify({ query, variables }),
    });
    const { data, errors } = (await response.json()) as { data: Record<string, object>; errors?: unknown };
    expect(errors).toBeUndefined();
    expect(Object.values(data).filter((payload) => 'code' in payload)).toEqual([]);
    collectValues(data, values);
    responses.push(data);
  }
  expect(responses.at(-1)).toMatchObject(lastResponse as object);
});

/** The other blocks in GraphQL need data that the samples do not create. */
function listGraphqlSamples(page: string): string[] {
  const groups = listTabGroups(readFileSync(join(root, `docs/guides/${page}.md`), 'utf8')).flat();
  const samples = new Set(groups.filter(({ language }) => language === 'graphql').map(({ text }) => text));
  return blocks(`guides/${page}.md`, 'graphql').filter((code) => samples.has(`\`\`\`graphql\n${code}\`\`\``));
}

const idNames: Record<string, string> = { ch: 'chargeId', re: 'refundId', pl: 'planId' };

/** Collects the values that later samples use as variables: IDs by their prefix, and other members by their name. */
function collectValues(node: unknown, values: Record<string, string>): void {
  if (typeof node !== 'object' || node === null) return;
  for (const [name, value] of Object.entries(node)) {
    if (typeof value !== 'string') {
      collectValues(value, values);
      continue;
    }
    values[name === 'id' ? (idNames[value.split('_')[0]!] ?? name) : name] = value;
    if (name === 'text') values.smsCode = /[0-9]{6}/.exec(value)![0];
  }
}
