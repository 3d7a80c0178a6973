import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { testApp } from './setup/app.ts';
import { makeMerchant } from './setup/makers.ts';
import { temporaryFolder } from './setup/temporary-folder.ts';

/** docs/quick-start.md is run as it stands. */

const run = promisify(execFile);
const text = readFileSync(new URL('../docs/quick-start.md', import.meta.url), 'utf8');
const blocks = (language: string) =>
  [...text.matchAll(/```(\w+)\n([\s\S]*?)```/g)]
    .filter((match) => match[1] === language)
    .map((match) => match[2]!);

let env: Record<string, string>;

beforeAll(async () => {
  const app = await testApp();
  const { keys } = await makeMerchant(app.context.service, {}, new Date());
  const { apiKey, apiSecret } = keys.sandbox;
  const url = await app.app.listen({ port: 0, host: '127.0.0.1' });
  env = {
    PATH: process.env.PATH ?? '',
    URL: url,
    AUTH: `${apiKey}:${apiSecret}`,
    API_KEY: apiKey,
    API_SECRET: apiSecret,
  };
});

describe('the quick start', () => {
  test('runs in a shell with curl', async () => {
    const script = ['set -euo pipefail', ...blocks('sh').map((block) => `${block}\necho`)].join('\n');
    const { stdout } = await run('bash', ['-c', script], { env, cwd: await temporaryFolder() });
    // Answers come without a line's end.
    const answers = stdout
      .replaceAll('}{', '}\n{')
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line));
    expect(answers).toMatchObject([
      { status: 'created', amount: 128.5 },
      { status: 'pending', merchantAmount: 128.5 },
      { transfers: [{ id: 'BANK-0001', status: 'matched' }] },
      { status: 'completed' },
      { status: 'initiated', customerAmount: 28.5 },
      { charges: [{ status: 'completed', refunds: [{ customerAmount: 28.5 }] }], pagination: { total: 1 } },
    ]);
  });

  test('runs in TypeScript', async () => {
    const file = join(await temporaryFolder(), 'quick-start.ts');
    await writeFile(file, blocks('ts').join('\n'));
    const { stdout } = await run(process.execPath, [file], { env });
    expect(stdout).toMatch(
      /^Send the customer to http.*sessionId=ses_\w+&isSandbox=true\nch_\w+ is completed\n$/,
    );
  });
});
