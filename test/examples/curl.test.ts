import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { setupApp } from '../setup/app.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { seedMerchant } from '../setup/seed.ts';
import { createTempDir } from '../setup/temp-dir.ts';

const onCleanup = cleanupAfterFile();

const run = promisify(execFile);
const script = fileURLToPath(new URL('../../examples/curl/pay.sh', import.meta.url));

test('examples/curl takes a payment and refunds a part of it, with curl alone', async () => {
  const { app, context } = await setupApp(onCleanup);
  const { keys } = await seedMerchant(context.service, {}, new Date());
  const { apiKey, apiSecret } = keys.sandbox;
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const env = { PATH: process.env.PATH ?? '', AUTH: `${apiKey}:${apiSecret}`, URL: url };
  const { stdout } = await run(script, { env, cwd: await createTempDir(onTestFinished) });
  const answers = stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line).data);
  const live = stdout.split('\n').flatMap((line) => line.match(/^data: (.+)$/)?.[1] ?? []);
  expect(answers).toMatchObject([
    { createSession: { session: { checkoutUrl: expect.stringContaining('/checkout?sessionId=') } } },
    { createCharge: { charge: { id: expect.stringMatching(/^ch_/) } } },
    { recordTransfers: { results: [{ status: 'matched' }] } },
    { createRefund: { refund: { status: 'initiated', customerAmount: '28.50' } } },
  ]);
  expect(live.map((line) => JSON.parse(line).data.chargeUpdated)).toEqual([
    { status: 'pending', paymentState: 'none' },
    { status: 'completed', paymentState: 'exact' },
  ]);
});
