import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { testApp } from './setup/app.ts';
import { makeMerchant } from './setup/makers.ts';
import { temporaryFolder } from './setup/temporary-folder.ts';

/** The pages of docs on REST and checkout are run as they stand. */

const run = promisify(execFile);

let env: Record<string, string>;

beforeAll(async () => {
  const app = await testApp();
  const { keys } = await makeMerchant(app.context.service, {}, new Date());
  const { apiKey, apiSecret, publishableKey } = keys.sandbox;
  const url = await app.app.listen({ port: 0, host: '127.0.0.1' });
  env = {
    PATH: process.env.PATH ?? '',
    URL: url,
    AUTH: `${apiKey}:${apiSecret}`,
    API_KEY: apiKey,
    API_SECRET: apiSecret,
    PUBLISHABLE_KEY: publishableKey,
  };
});

function blocks(page: string, language: string): string[] {
  const text = readFileSync(new URL(`../docs/${page}`, import.meta.url), 'utf8');
  return [...text.matchAll(/```(\w+)\n([\s\S]*?)```/g)]
    .filter((match) => match[1] === language)
    .map((match) => match[2]!);
}

/** What the commands of a page print, an answer a line. */
async function answersOf(page: string, cwd: string): Promise<unknown[]> {
  const script = ['set -euo pipefail', ...blocks(page, 'sh').map((block) => `${block}\necho`)].join('\n');
  const { stdout } = await run('bash', ['-c', script], { env, cwd });
  return stdout
    .replaceAll('}{', '}\n{')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

test('the quick start runs in a shell with curl', async () => {
  expect(await answersOf('guides/quick-start.md', await temporaryFolder())).toMatchObject([
    { status: 'created', amount: 128.5 },
    { status: 'pending', merchantAmount: 128.5 },
    { transfers: [{ id: 'BANK-0001', status: 'matched' }] },
    { status: 'completed' },
    { status: 'initiated', customerAmount: 28.5 },
    { charges: [{ status: 'completed', refunds: [{ customerAmount: 28.5 }] }], pagination: { total: 1 } },
  ]);
});

test('the quick start runs in TypeScript', async () => {
  const file = join(await temporaryFolder(), 'quick-start.ts');
  await writeFile(file, blocks('guides/quick-start.md', 'ts').join('\n'));
  const { stdout } = await run(process.execPath, [file], { env });
  expect(stdout).toMatch(
    /^Send the customer to http.*sessionId=ses_\w+&isSandbox=true\nch_\w+ is completed\n$/,
  );
});

test('what is told of REST runs', async () => {
  const [methods, list, first, second, cancelled, converted, ...more] = await answersOf(
    'reference/rest.md',
    await temporaryFolder(),
  );
  expect(methods).toHaveLength(11);
  expect(list).toMatchObject({ pagination: { currentPage: 1 } });
  expect(first).toMatchObject({ status: 'pending', isDuplicate: false });
  expect(second).toEqual(first);
  expect(cancelled).toBe(true);
  expect(converted).toEqual({ amount: expect.any(Number), rate: expect.any(Number) });
  expect(more).toEqual([]);
});

test('what is told of checkout runs', async () => {
  const folder = await temporaryFolder();
  const [session, link, ...more] = await answersOf('guides/checkout.md', folder);
  expect(session).toMatchObject({ status: 'created', methods: ['fps', 'paynow'] });
  expect(link).toEqual({ checkoutLink: expect.stringMatching(/\/checkout\?link=lnk_\w+&isSandbox=true$/) });
  expect(more).toEqual([]);
  // That of the address with its hash, which came last.
  expect(await readFile(join(folder, 'page.html'), 'utf8')).toContain('Choose how to pay');
});
