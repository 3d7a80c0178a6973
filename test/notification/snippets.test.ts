import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { resendNotification } from '../../src/domain/accounts/notification/resend-notification.ts';
import { relayEvents } from '../../src/event/relay-events.ts';
import { dayMs } from '../../src/kit/duration.ts';
import type { TestApp } from '../setup/app.ts';
import { systemTimeAppTest } from '../setup/app-fixtures.ts';
import { deliverNotifications, relayAndDeliver } from '../setup/deliver-notifications.ts';
import { startExampleShop } from '../setup/example-shop.ts';
import { createFakeClock } from '../setup/fake-clock.ts';
import { seedEvent, unusualInput } from '../setup/notifications.ts';
import { failFirst, startReceiver, type TestReceiver } from '../setup/receiver.ts';
import { seedCharge, seedCompletedCharge } from '../setup/seed.ts';
import { createTempDir } from '../setup/temp-dir.ts';
import { payCharge } from '../setup/transfers.ts';

/** Runs the example shop and the callback receivers of docs/guides/webhooks.md, unchanged, with real callbacks. */

const test = systemTimeAppTest.extend('causewayUrl', { scope: 'file' }, async ({ app }) => {
  const url = await app.app.listen({ port: 0, host: '127.0.0.1' });
  app.context.service.settings.publicUrl = url;
  return url;
});

const docs = new URL('../../docs/', import.meta.url);
const languages = ['js', 'python', 'php', 'sh'] as const;
type Language = (typeof languages)[number];
const attemptsMax = 10;

/** A running callback receiver. */
type Running = {
  /** Returns the HTTP status. */
  post(body: string): Promise<number>;
  /** The number of recorded payments, or of parcels sent. */
  payments(): Promise<number>;
  stop(): Promise<void>;
};
type MerchantReceiver = {
  /** Starts it with a public key; a second start continues with the stored data of the first. */
  start(publicKey: string): Promise<Running>;
  /** The `notifyPayload` of its next order. */
  notifyPayload(): string;
};

test('the only code in docs that receives callbacks is in docs/guides/webhooks.md, once in each language', () => {
  const snippets = readdirSync(docs, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .flatMap((page) => listFences(page).map(([language, code]) => ({ page, language, code })))
    .filter(({ language, code }) => language !== 'json' && /payload.*signature/s.test(code));
  expect(snippets.map(({ page, language }) => `${page} ${language}`)).toEqual(
    languages.map((language) => `guides/webhooks.md ${language}`),
  );
});

type Shop = { causewayUrl: string; merchant: NewMerchant };

const receivers: [string, (shop: Shop) => Promise<MerchantReceiver>, string][] = [
  ...languages.map((language): (typeof receivers)[number] => [
    `the snippet for ${language}`,
    () => (language === 'sh' ? createShellReceiver() : createServerReceiver(language)),
    language,
  ]),
  ['examples/shop', createShopReceiver, 'js'],
];

describe.each(receivers)('%s', (_, createReceiver, language) => {
  const isMissing = !isInstalled(language as Language);
  const skipped = isMissing ? ` (skipped: no ${language} here)` : '';

  test.skipIf(isMissing)(
    `records a live payment once over all attempts, and nothing else${skipped}`,
    async ({ app, causewayUrl, merchant }) => {
      const receiver = await createReceiver({ causewayUrl, merchant });
      const first = await receiver.start(merchant.certificates.live);
      const { attempts, resent, sandbox, expired } = await sendCallbacks(
        app,
        merchant,
        receiver.notifyPayload(),
      );
      const [body = ''] = attempts;
      expect(new Set([...attempts, resent]).size).toBe(1);
      const forgeries = [
        body.replace('"merchantAmount":128.5', '"merchantAmount":1.5'),
        body.replace(/"eventId":"ev_\w+","eventType"/, '"eventId":"ev_other","eventType"'),
        sandbox,
        sandbox.replace('"mode":"sandbox"', '"mode":"live"'),
        body.replace(/"signature":"[^"]*"/, '"signature":""'),
      ];
      expect(new Set([body, ...forgeries]).size).toBe(6);
      for (const forgery of forgeries) expect(await first.post(forgery)).toBe(401);
      expect(await first.post(expired)).toBe(204);
      expect(await first.payments()).toBe(0);

      expect(await first.post(body)).toBe(204);
      expect(await first.payments()).toBe(1);
      await first.stop();
      const restarted = await receiver.start(merchant.certificates.live);
      expect(await restarted.post(attempts.at(-1)!)).toBe(204);
      expect(await restarted.post(resent)).toBe(204);
      expect(await restarted.payments()).toBe(1);
    },
  );

  test.skipIf(isMissing)(
    `does not record sandbox events as payments, even with the sandbox certificate${skipped}`,
    async ({ app, causewayUrl, merchant }) => {
      const receiver = await createReceiver({ causewayUrl, merchant });
      const running = await receiver.start(merchant.certificates.sandbox);
      const { sandbox } = await sendCallbacks(app, merchant, receiver.notifyPayload());
      expect(await running.post(sandbox)).toBe(204);
      expect(await running.payments()).toBe(0);
    },
  );
});

/**
 * Returns callback bodies as Causeway sends them: all attempts for a live completion, a resend after 30 days, a sandbox
 * completion, and a live event of another type.
 */
async function sendCallbacks(app: TestApp, merchant: NewMerchant, notifyPayload: string) {
  const { service } = app.context;
  const now = new Date();
  const clock = createFakeClock(now);
  const input = { ...unusualInput, notifyPayload };
  await using endpoint = await startReceiver(failFirst(attemptsMax - 1));
  const charge = await seedCharge(service, merchant, { input: { ...input, notifyUrl: endpoint.url }, now });
  await payCharge(service, merchant, charge, { now });
  await relayEvents(service, { now });
  for (let i = 0; i < attemptsMax; i++, clock.advance(2 * dayMs))
    await deliverNotifications(service, { clock });
  const owner = { merchantId: merchant.merchant.id, mode: 'live' } as const;
  const { id } = await service.prisma.notification.findFirstOrThrow({
    where: { ...owner, event: { objectId: charge.id }, status: 'delivered', attemptCount: attemptsMax },
  });
  clock.set(new Date(now.getTime() + 50 * dayMs));
  await resendNotification(service, { ...owner, id, now: clock.now() });
  await deliverNotifications(service, { clock });
  const attempts = endpoint.requests.map(({ body }) => body);
  const resent = attempts.pop()!;
  expect(attempts).toHaveLength(attemptsMax);

  await using other = await startReceiver();
  await seedCompletedCharge(service, merchant, { input: { ...input, notifyUrl: other.url }, now });
  await relayAndDeliver(service, { now: () => now });
  const { eventId: _, ...payload } = JSON.parse(resent).payload;
  await seedEvent(service, merchant, { type: 'charge_expired', payload, callbackUrl: other.url, now });
  await relayAndDeliver(service, { now: () => now });
  const [sandbox, expired] = toBodies(other);
  return { attempts, resent, sandbox: sandbox!, expired: expired! };
}

function toBodies({ requests }: TestReceiver): string[] {
  return requests.map(({ body }) => body);
}

/** A snippet that runs as a server. */
async function createServerReceiver(language: Language): Promise<MerchantReceiver> {
  const folder = await createTempDir(onTestFinished);
  const program = join(folder, `receive.${language === 'js' ? 'mjs' : language}`);
  writeFileSync(program, readSnippet(language));
  return {
    notifyPayload: () => unusualInput.notifyPayload,
    async start(publicKey) {
      writeFileSync(join(folder, 'public.pem'), publicKey);
      const port = await findFreePort();
      const commands = {
        js: [process.execPath, program],
        python: ['python3', program],
        php: ['php', '-S', `127.0.0.1:${port}`, program],
        sh: [],
      };
      const [command = '', ...args] = commands[language];
      const env = { ...process.env, PORT: String(port) };
      const server = spawn(command, args, { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] });
      let log = '';
      server.stderr.on('data', (text) => {
        log += text;
      });
      const stop = async () => {
        if (server.exitCode !== null || server.signalCode !== null) return;
        server.kill();
        await once(server, 'exit');
      };
      onTestFinished(stop);
      const url = `http://127.0.0.1:${port}`;
      const isUp = () =>
        fetch(url).then(
          () => true,
          () => log || false,
        );
      await expect.poll(isUp, { timeout: 20_000 }).toBe(true);
      return { post: (body) => postTo(url, body), payments: async () => countPayments(folder), stop };
    },
  };
}

function countPayments(folder: string): number {
  const database = new DatabaseSync(join(folder, 'payments.db'), { readOnly: true });
  const row = database.prepare('SELECT count(*) AS count FROM payment').get();
  database.close();
  return Number(row?.count);
}

/** The snippet that verifies a body in a file. */
async function createShellReceiver(): Promise<MerchantReceiver> {
  const folder = await createTempDir(onTestFinished);
  const statuses: Record<string, number> = {
    paid: 204,
    'processed before': 204,
    'no live payment': 204,
    forged: 401,
  };
  const post = async (body: string) => {
    writeFileSync(join(folder, 'body.json'), body);
    const { stdout, stderr } = spawnSync('sh', ['-c', readSnippet('sh')], { cwd: folder, encoding: 'utf8' });
    return statuses[stdout.trim()] ?? expect.fail(`${stdout}${stderr}`);
  };
  return {
    notifyPayload: () => unusualInput.notifyPayload,
    async start(publicKey) {
      writeFileSync(join(folder, 'public.pem'), publicKey);
      const events = join(folder, 'events');
      const payments = async () => (existsSync(events) ? readdirSync(events).length : 0);
      return { post, payments, stop: async () => {} };
    },
  };
}

async function createShopReceiver({ causewayUrl, merchant }: Shop): Promise<MerchantReceiver> {
  const folder = await createTempDir(onTestFinished);
  let order = '';
  return {
    notifyPayload: () => order,
    async start(publicKey) {
      const file = join(folder, 'public.pem');
      writeFileSync(file, publicKey);
      const env = { PUBLIC_KEY: file, DATABASE: join(folder, 'shop.db') };
      const shop = await startExampleShop(causewayUrl, merchant.keys.live, env);
      onTestFinished(shop.stop);
      order ||= JSON.parse(await (await post(`${shop.url}/orders`, '{"tea":"Oolong"}')).text()).id;
      const payments = async () => (await (await fetch(`${shop.url}/orders/${order}`)).json()).parcels;
      return { post: (body) => postTo(`${shop.url}/callback`, body), payments, stop: shop.stop };
    },
  };
}

const post = (url: string, body: string) => fetch(url, { method: 'POST', body });
const postTo = async (url: string, body: string) => (await post(url, body)).status;

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

function listFences(page: string): [language: string, code: string][] {
  const text = readFileSync(new URL(page, docs), 'utf8');
  return [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language, code]) => [language!, code!]);
}

function readSnippet(language: Language): string {
  return listFences('guides/webhooks.md').find(([name]) => name === language)![1];
}

function isInstalled(language: Language): boolean {
  const probes = {
    js: [process.execPath, '--version'],
    python: ['python3', '-c', 'import cryptography'],
    php: ['php', '-r', 'exit(extension_loaded("openssl") && extension_loaded("pdo_sqlite") ? 0 : 1);'],
    sh: ['sh', '-c', 'openssl version'],
  };
  const [command = '', ...args] = probes[language];
  return spawnSync(command, args).status === 0;
}
