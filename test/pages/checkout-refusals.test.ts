import { createHash } from 'node:crypto';
import { brotliDecompressSync } from 'node:zlib';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { setupApp, type TestApp } from '../setup/app.ts';
import { payForm, seedSession, sessionPath } from '../setup/checkout.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { createFakeClock } from '../setup/fake-clock.ts';
import { createPageVisitor, type PageVisitor } from '../setup/page-visitor.ts';
import { noon, seedMerchant } from '../setup/seed.ts';

const onCleanup = cleanupAfterFile();

let app: TestApp;
let merchant: NewMerchant;
let customer: PageVisitor;

beforeAll(async () => {
  app = await setupApp(onCleanup, { clock: createFakeClock(noon) });
  merchant = await seedMerchant(app.context.service);
});

beforeEach(() => {
  customer = createPageVisitor(app.app);
});

const newSession = (input = {}) => seedSession(app.context.service, merchant, { now: noon, input });
const newAddress = async (input = {}) => sessionPath(await newSession(input));

describe('headers', () => {
  test.each([
    ['a page', () => newAddress()],
    ['a refusal', async () => '/checkout?sessionId=ses_nothing'],
    ['an unknown page', async () => '/checkout/nowhere'],
  ])(
    '%s is kept by nobody, framed by nobody, and tells no other site where it is',
    async (_name, address) => {
      const { headers } = await customer.get(await address());
      expect(headers).toMatchObject({
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'content-type': 'text/html; charset=utf-8',
      });
      const policy = headers['content-security-policy'];
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain('unsafe');
    },
  );

  test('the scripts and styles a page names are there, may be kept for ever, and are small', async () => {
    const { text } = await customer.get(await newAddress());
    const assets = [...text.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map((match) => match[1] ?? '');
    let scriptBytes = 0;
    for (const url of new Set(assets)) {
      const answer = await app.app.inject({ url, headers: { 'accept-encoding': 'gzip, deflate' } });
      expect(answer.statusCode).toBe(200);
      expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable');
      expect(answer.headers['content-encoding']).toBe('gzip');
      if (url.endsWith('.js')) scriptBytes += answer.rawPayload.length;
    }
    expect(assets.filter((url) => url.endsWith('.js')).length).toBeGreaterThan(1);
    expect(scriptBytes).toBeLessThan(30 * 1_024);
  });

  test('a page comes with its style in one small answer, before which nothing must be loaded', async () => {
    const url = await newAddress();
    const plain = await app.app.inject({ url });
    const coded = await app.app.inject({ url, headers: { 'accept-encoding': 'gzip, br' } });
    expect(coded.headers).toMatchObject({
      'content-encoding': 'br',
      vary: 'accept-language, accept-encoding',
    });
    expect(
      brotliDecompressSync(coded.rawPayload)
        .toString()
        .replaceAll(/data-now="\d+"/g, ''),
    ).toBe(plain.body.replaceAll(/data-now="\d+"/g, ''));
    // What a server may send before the browser has confirmed any of it.
    expect(coded.rawPayload.length).toBeLessThan(14_600);
    const [, style = ''] = /<style>([^<]*)<\/style>/.exec(plain.body) ?? [];
    const hash = createHash('sha256').update(style).digest('base64');
    expect(plain.headers['content-security-policy']).toContain(`style-src 'sha256-${hash}';`);
    expect(plain.body).not.toMatch(/<link rel="stylesheet"|<script(?! type="module" src="\/)/);
  });

  test('the icon of each method is served as an SVG', async () => {
    const { text } = await customer.get(await newAddress());
    const icons = [...text.matchAll(/src="(\/icons\/methods\/[^"]+)"/g)].map((match) => match[1] ?? '');
    expect(icons).toHaveLength(13);
    for (const url of icons) {
      const answer = await app.app.inject({ url });
      expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'image/svg+xml']);
      expect(answer.body).toContain('<svg');
    }
  });
});

describe('what is refused', () => {
  const key = () => merchant.keys.live.publishableKey;

  test.each<[string, () => string, number, string]>([
    ['no parameter', () => '/checkout', 400, 'This link is incomplete'],
    ['an unknown session', () => '/checkout?sessionId=ses_x', 404, 'We can’t find this payment'],
    ['an unknown link', () => '/checkout?link=lnk_x', 404, 'We can’t find this payment'],
    ['a token of nobody', () => '/checkout?charge=ch_x.y', 404, 'We can’t find this payment'],
    [
      'an unknown key',
      () => '/checkout?apiKey=pk_live_x&amount=1&currency=HKD',
      404,
      'We don’t recognize this shop',
    ],
    [
      'a key with U+0000',
      () => '/checkout?apiKey=%00&amount=1&currency=HKD',
      400,
      'apiKey must not contain U+0000',
    ],
    ['a session with it', () => '/checkout?sessionId=%00', 400, 'sessionId must not contain U+0000'],
    ['a link with it', () => '/checkout?link=%00', 400, 'link must not contain U+0000'],
    ['a token with it', () => '/checkout?charge=%00.y', 400, 'charge must not contain U+0000'],
    [
      'a secret key',
      () => `/checkout?apiKey=${merchant.keys.live.apiKey}&amount=1&currency=HKD`,
      404,
      'We don’t recognize this shop',
    ],
    [
      'a bad amount',
      () => `/checkout?apiKey=${key()}&amount=1.234&currency=HKD`,
      400,
      'amount must be an amount',
    ],
    [
      'an unknown currency',
      () => `/checkout?apiKey=${key()}&amount=1&currency=QQQ`,
      422,
      'Unsupported currency: QQQ',
    ],
    [
      'a huge amount',
      () => `/checkout?apiKey=${key()}&amount=99999999999&currency=HKD`,
      422,
      'can’t be paid here',
    ],
    [
      'a hash of other terms',
      () => `/checkout?apiKey=${key()}&amount=10&currency=HKD&hash=${'0'.repeat(64)}`,
      422,
      'but the hash in the link doesn’t match the rest of it',
    ],
    ['an unknown page', () => '/checkout/nowhere?x=<script>', 404, 'Page not found'],
  ])('%s gets a page that helps', async (_name, address, status, text) => {
    const visit = await customer.get(address());
    expect(visit.status).toBe(status);
    expect(visit.main).toContain(text);
    expect(visit.headers['www-authenticate']).toBeUndefined();
  });

  test('a POST that another site had the browser send', async () => {
    const { id, mode } = await newSession();
    const address = sessionPath({ id, mode });
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site', origin: 'null' },
      { origin: 'https://evil.example' },
    ]) {
      const visit = await customer.post(address, payForm, headers as Record<string, string>);
      expect([visit.status, visit.main.includes('couldn’t verify this request')]).toEqual([403, true]);
    }
    expect(await app.context.service.prisma.checkoutSession.findUnique({ where: { id } })).toMatchObject({
      status: 'created',
    });
    const own = await customer.post(address, payForm, { host: 'pay.example', origin: 'http://pay.example' });
    expect(own.status).toBe(303);
  });

  test('a method that the session does not offer, and another can then be chosen', async () => {
    const address = await newAddress({ methods: ['fps', 'paynow'] });
    const refused = await customer.post(address, { ...payForm, method: 'toss' });
    expect(refused.status).toBe(422);
    expect(refused.main).toContain('This method isn’t available for this payment right now');
    expect(refused.text).toContain('value="mei@example.com"');
    expect((await customer.post(address, payForm)).status).toBe(303);
  });

  test('a body that is no form, without a trace of the inside', async () => {
    const answer = await app.app.inject({
      method: 'POST',
      url: await newAddress(),
      headers: { 'content-type': 'application/xml', 'sec-fetch-site': 'same-origin' },
      payload: '<a/>',
    });
    expect(answer.statusCode).toBe(415);
    expect(answer.headers['content-type']).toContain('text/html');
    expect(answer.body).not.toMatch(/FST_|at \w+ \(|node_modules/);
  });

  test('cookies go to the checkout alone, and no script can read them', async () => {
    const claimed = await customer.post(await newAddress(), { do: 'claim' });
    expect(String(claimed.headers['set-cookie'])).toMatch(
      /^causeway_browser=[\w-]{43}; Max-Age=\d+; Path=\/checkout; HttpOnly; SameSite=Lax$/,
    );
  });
});

describe('text from outside', () => {
  const hostile = `"><script>alert('x')</script><img src=x onerror=alert(1)>&amp;`;

  test('cannot become markup', async () => {
    const evil = await seedMerchant(app.context.service, { name: `T${hostile}` });
    const session = await seedSession(app.context.service, evil, {
      now: noon,
      input: {
        orders: [{ id: hostile, name: hostile, quantity: 1 }, { id: hostile }],
        customer: { firstName: hostile, email: 'mei@example.com' },
        redirectUrl: `https://shop.example/?a="><script>alert(1)</script>`,
      },
    });
    const address = `${sessionPath(session)}&lang="><script>x</script>`;
    const pages = [await customer.get(address)];
    await customer.post(address, payForm);
    pages.push(await customer.get(address));
    await customer.post(address, { do: 'cancel' });
    pages.push(await customer.get(address));
    pages.push(await customer.post(await newAddress(), { do: 'pay', method: hostile, email: hostile }));
    pages.push(
      await customer.get(
        `/checkout?apiKey=${evil.keys.live.publishableKey}&amount=${encodeURIComponent(hostile)}&currency=HKD`,
      ),
    );
    expect(pages.map(({ status }) => status)).toEqual([200, 200, 200, 400, 400]);
    for (const { text } of pages) {
      expect(text).not.toContain('<script>');
      expect(text).not.toContain('<img src=x');
      expect(text.match(/<script/g)).toHaveLength(1);
    }
    expect(pages[0]?.main).toContain('T&quot;&gt;&lt;script&gt;');
  });
});
