import { expect } from 'vitest';
import { verifyWebhook } from '../../packages/client/src/index.ts';
import type { Charge } from '../../prisma/client/client.ts';
import { runCommandLine } from '../../src/cli/run-command-line.ts';
import { relayEvents } from '../../src/event/relay-events.ts';
import { fileTest } from '../setup/fixtures.ts';
import { type LiveApp, setupLiveApp } from '../setup/live-app.ts';
import { respondWith, startReceiver, switchable, type TestReceiver } from '../setup/receiver.ts';
import { runCli } from './run-cli.ts';

const test = fileTest
  .extend('app', { scope: 'file' }, ({ onFileCleanup }) => setupLiveApp(onFileCleanup))
  .extend('env', { scope: 'file' }, ({ app }) => ({
    CAUSEWAY_API_KEY: app.merchant.keys.sandbox.apiKey,
    CAUSEWAY_API_SECRET: app.merchant.keys.sandbox.apiSecret,
    CAUSEWAY_SIGNING_SECRET: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
  }));

/** Pays a new charge of the sandbox, and publishes its events. */
async function buy(app: LiveApp, email: string): Promise<Charge> {
  const charge = await app.newCharge(email);
  await app.complete(charge);
  await relayEvents(app.context.service, { now: new Date() });
  return charge;
}

/** Runs `listen` until the condition holds for its progress. */
async function listenUntil(
  { app, env, receiver }: { app: LiveApp; env: Record<string, string>; receiver: TestReceiver },
  {
    args = [],
    act,
    isEnough,
  }: { args?: string[]; act?: () => Promise<unknown>; isEnough: (lines: string[]) => boolean },
) {
  const abortion = new AbortController();
  const lines: string[] = [];
  let output = '';
  const code = runCommandLine(
    ['listen', '--forward-to', `${receiver.url}/hooks`, '--url', app.url, '--json', ...args],
    { env, out: (text) => (output += text), err: (text) => lines.push(text), signal: abortion.signal },
  );
  await expect.poll(() => output + lines.join('\n')).toContain('Forwarding the events');
  await act?.();
  await expect.poll(() => isEnough(lines), { timeout: 20_000 }).toBe(true);
  abortion.abort();
  return { code: await code, lines, json: JSON.parse(output) };
}

test('listen forwards new events of the sandbox as signed webhooks, and continues after its cursor', async ({
  app,
  env,
}) => {
  await buy(app, 'before@example.com');
  await using receiver = await startReceiver();
  let charge: Charge | undefined;
  const first = await listenUntil(
    { app, env, receiver },
    {
      act: async () => {
        charge = await buy(app, 'ada@example.com');
        // A live event and one that webhooks never receive are not forwarded.
        await app.newCharge('live@example.com', 'live');
        await relayEvents(app.context.service, { now: new Date() });
      },
      isEnough: (lines) => lines.some((line) => line.includes('CHARGE_COMPLETE')),
    },
  );
  expect(first).toMatchObject({ code: 0, json: { delivered: 1, failed: 0 } });
  const [request, ...others] = receiver.requests;
  expect(others).toEqual([]);
  const event = await verifyWebhook({
    ...{ body: request!.raw, headers: request!.headers as Record<string, string> },
    ...{ username: 'causeway', password: 'a password', secret: env.CAUSEWAY_SIGNING_SECRET },
  }).catch((error) => error);
  expect(event).toMatchObject({ code: 'verification_failed' });
  const authentic = await verifyWebhook({
    ...{ body: request!.raw, headers: request!.headers as Record<string, string> },
    secret: env.CAUSEWAY_SIGNING_SECRET,
  });
  expect(authentic).toMatchObject({ message: 'CHARGE_COMPLETE', chargeId: charge!.id });
  const stored = await app.context.service.prisma.event.findFirstOrThrow({
    where: { id: authentic.eventId },
  });
  expect(request!.body).toContain(`"payload":${stored.payload}`);

  await buy(app, 'while-stopped@example.com');
  const second = await listenUntil(
    { app, env: { ...env, CAUSEWAY_WEBHOOK_PASSWORD: 'a password' }, receiver },
    {
      args: ['--after', first.json.cursor],
      isEnough: (lines) => lines.some((line) => line.endsWith(' 200')),
    },
  );
  expect(second.json).toMatchObject({ delivered: 1, failed: 0 });
  const last = receiver.requests.at(-1)!;
  await verifyWebhook({
    ...{ body: last.raw, headers: last.headers as Record<string, string> },
    ...{ username: 'causeway', password: 'a password', secret: env.CAUSEWAY_SIGNING_SECRET },
  });
});

test('listen reports the response of a server that fails, and continues', async ({ app, env }) => {
  const handler = switchable(500);
  await using receiver = await startReceiver(handler);
  const { json, lines } = await listenUntil(
    { app, env, receiver },
    {
      act: async () => {
        await buy(app, 'failed@example.com');
        await receiver.waitFor(({ length }) => length === 1);
        handler.works = true;
        await buy(app, 'works@example.com');
      },
      isEnough: (all) => all.some((line) => line.endsWith(' 200')),
    },
  );
  expect(json).toMatchObject({ delivered: 1, failed: 1 });
  expect(lines.filter((line) => /^· \d+ CHARGE_COMPLETE ev_\w+ 500$/.test(line))).toHaveLength(1);
});

test('listen reconnects when its stream is interrupted, and forwards each event once', async ({
  app,
  env,
}) => {
  await using receiver = await startReceiver(respondWith(204));
  const { json } = await listenUntil(
    { app, env, receiver },
    {
      act: async () => {
        await buy(app, 'one@example.com');
        await receiver.waitFor(({ length }) => length === 1);
        app.app.server.closeAllConnections();
        await buy(app, 'two@example.com');
      },
      isEnough: (lines) => lines.filter((line) => line.endsWith(' 204')).length === 2,
    },
  );
  expect(json).toMatchObject({ delivered: 2, failed: 0 });
  expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(2);
});

test.for<[string, string[], Record<string, string>, RegExp]>([
  ['without credentials', [], { CAUSEWAY_API_SECRET: '' }, /^Set CAUSEWAY_API_KEY and CAUSEWAY_API_SECRET/],
  ['with a live key', [], { CAUSEWAY_API_SECRET: 'cs_live_x' }, /^The API key is live/],
  ['with another scheme', ['--url', 'ftp://pay.example'], {}, /^--url must be a URL/],
  ['with an unknown type', ['--events', 'charge_moved'], {}, /^--events has an unknown type: charge_moved/],
])('listen %s is rejected', async ([, args, changes, message], { env }) => {
  const target = ['listen', '--forward-to', 'http://localhost:9/hooks'];
  const { code, stderr } = await runCli({ ...env, ...changes }, [...target, ...args]);
  expect(code).toBe(2);
  expect(stderr).toMatch(message);
});

test('listen with a wrong secret reports the error of the service', async ({ app, env }) => {
  const args = ['listen', '--forward-to', 'http://localhost:9/hooks', '--url', app.url];
  const { code, stderr } = await runCli({ ...env, CAUSEWAY_API_SECRET: 'cs_sandbox_wrong' }, args);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringContaining('Credentials are missing or invalid'),
  });
});

test('listen names the option --url if the service cannot be reached', async ({ env }) => {
  const args = ['listen', '--forward-to', 'http://localhost:9/hooks', '--url', 'http://127.0.0.1:9'];
  const { code, stderr } = await runCli(env, args);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringContaining('http://127.0.0.1:9 cannot be reached: start the service, or set --url'),
  });
});
