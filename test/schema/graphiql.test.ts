import { beforeAll, expect, test } from 'vitest';
import { cancelCharge } from '../../src/domain/payments/charge/cancel-charge.ts';
import { basicAuth } from '../setup/api.ts';
import { launchChromium } from '../setup/chromium.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { type GraphqlApp, setupGraphqlApp } from '../setup/graphql.ts';
import { seedCharge } from '../setup/seed.ts';

const onCleanup = cleanupAfterFile();

let app: GraphqlApp;

beforeAll(async () => {
  app = await setupGraphqlApp(onCleanup);
});

test('GraphiQL is for browsers, without credentials, and may load nothing from elsewhere', async () => {
  const answer = await fetch(`${app.url}/graphql`, { headers: { accept: 'text/html,*/*;q=0.8' } });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const policy = answer.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("connect-src 'self' ws://127.0.0.1:4000;");
  expect(policy).not.toMatch(/https?:/);
  expect((await answer.text()).trimStart().startsWith('<!doctype html>')).toBe(true);
  const program = await fetch(`${app.url}/graphql`, { headers: { accept: 'application/json' } });
  expect(program.status).toBe(401);
});

test('where the page takes too long to be made, the 503 is readable, and the page comes with a later request', async () => {
  const { url } = await setupGraphqlApp(onCleanup, { requestTimeoutMs: 1 });
  const ask = () => fetch(`${url}/graphql`, { headers: { accept: 'text/html' } });
  const refused = await ask();
  expect(refused.status).toBe(503);
  expect(refused.headers.get('content-encoding')).toBeNull();
  expect(await refused.json()).toMatchObject({ errors: [{ extensions: { code: 'unavailable' } }] });
  await expect.poll(async () => (await ask()).status).toBe(200);
});

test('in Chromium it shows the schema, and its examples work with the credentials of its headers', {
  timeout: 90_000,
}, async () => {
  const charge = await seedCharge(app.context.service, app.merchant, { mode: 'sandbox', now: new Date() });
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    const wrong: string[] = [];
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url().replace(/^blob:/, '')));
    page.on('websocket', (socket) => asked.push(socket.url().replace(/^ws/, 'http')));
    page.on('pageerror', (error) => wrong.push(String(error)));
    page.on('console', (message) => message.type() === 'error' && wrong.push(message.text()));

    await page.goto(`${app.url}/graphql`);
    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
    await page.getByText('CheckoutSession', { exact: true }).waitFor();

    const { apiKey, apiSecret } = app.merchant.keys.sandbox;
    await page.getByRole('button', { name: 'Headers' }).click();
    await page.locator('.graphiql-editor-tool .monaco-editor:visible').click();
    await page.keyboard.insertText(`{ "Authorization": "Basic ${apiKey}:${apiSecret}" }`);
    const run = async (example: string) => {
      await page.locator('.graphiql-execute-button').click();
      await page.getByRole('menuitem', { name: example, exact: true }).click();
    };
    const shown = (hasText: string) => page.locator('.result-window', { hasText }).waitFor();
    await run('Charges');
    await shown(charge.id);
    await run('CreateCharge');
    await shown('qrCode');
    const newest = await app.context.service.prisma.charge.findFirstOrThrow({
      where: { mode: 'sandbox' },
      orderBy: { id: 'desc' },
    });
    await run('Follow');
    await shown(newest.id);
    await cancelCharge(app.context.service, {
      ...newest,
      by: 'merchant',
      actor: 'key:test',
      now: new Date(),
    });
    await shown('cancelled');

    await page.getByRole('button', { name: 'Hide Documentation Explorer' }).click();
    // On a phone the answer stands below.
    await page.setViewportSize({ width: 360, height: 740 });
    await expect
      .poll(async () => (await page.locator('.graphiql-response').boundingBox())?.width)
      .toBeGreaterThan(240);

    expect(asked.filter((url) => new URL(url).origin !== app.url)).toEqual([]);
    expect(asked).toContain(`${app.url}/graphql`);
    expect(wrong).toEqual([]);
    // What is typed into the headers stays in the page.
    const kept = await page.evaluate(() => JSON.stringify(localStorage));
    expect(kept).not.toContain(apiSecret);
    expect(kept).not.toContain(basicAuth(app.merchant.keys.sandbox));
  } finally {
    await browser.close();
  }
});
