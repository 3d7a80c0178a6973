import { createHash } from 'node:crypto';
import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, onTestFinished } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { closeCheckoutLink } from '../../src/domain/payments/checkout-link/close-checkout-link.ts';
import {
  createCancelToken,
  createCreatorToken,
} from '../../src/domain/payments/customer-page/page-tokens.ts';
import { createRefund } from '../../src/domain/payments/refund/create-refund.ts';
import { getRefundDetailsUrl } from '../../src/domain/payments/refund/refund-details-page.ts';
import { renderQrPng } from '../../src/method/qr-png.ts';
import { toPath } from '../../src/pages/to-path.ts';
import type { TestApp } from '../setup/app.ts';
import { appTest } from '../setup/app-fixtures.ts';
import {
  chargePath,
  linkPath,
  payForm,
  seedCheckoutLink,
  seedSession,
  sessionPath,
} from '../setup/checkout.ts';
import { createPageVisitor } from '../setup/page-visitor.ts';
import { minutesAfter, noon, seedCharge, seedCompletedCharge, seedMerchant } from '../setup/seed.ts';
import { setPublicUrl } from '../setup/service.ts';

const test = appTest.extend('customer', ({ app }) => createPageVisitor(app.app));

const newSession = (app: TestApp, merchant: NewMerchant, input = {}) =>
  seedSession(app.context.service, merchant, { now: noon, input });

const newAddress = async (app: TestApp, merchant: NewMerchant, input = {}) =>
  sessionPath(await newSession(app, merchant, input));

const redirectUrl = 'https://shop.example/cart';

async function seedSingleUseLink(app: TestApp, merchant: NewMerchant, options: { mode?: 'sandbox' } = {}) {
  const input = { usageLimit: 1, redirectUrl };
  const link = await seedCheckoutLink(app.context.service, merchant, { now: noon, input, ...options });
  return { link, address: linkPath(link) };
}

async function closeLink(app: TestApp, merchant: NewMerchant, id: string): Promise<void> {
  const owner = { merchantId: merchant.merchant.id, mode: 'live' } as const;
  await closeCheckoutLink(app.context.service, { ...owner, id, now: noon });
}

describe('headers', () => {
  test.for([
    ['a page', newAddress],
    ['an error', async () => '/checkout?sessionId=ses_nothing'],
    ['an unknown page', async () => '/checkout/nowhere'],
  ] as const)(
    'of %s prevent caching, framing and referrers',
    async ([_name, address], { app, merchant, customer }) => {
      const { headers } = await customer.get(await address(app, merchant));
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

  test('of scripts and styles allow caching forever, and the files are small', async ({
    app,
    merchant,
    customer,
  }) => {
    const { text } = await customer.get(await newAddress(app, merchant));
    const assets = [...text.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map((match) => match[1] ?? '');
    let scriptBytes = 0;
    for (const url of new Set(assets)) {
      const response = await app.app.inject({ url, headers: { 'accept-encoding': 'gzip, deflate' } });
      expect(response.statusCode).toBe(200);
      expect(response.headers['cache-control']).toBe('public, max-age=31536000, immutable');
      expect(response.headers['content-encoding']).toBe('gzip');
      if (url.endsWith('.js')) scriptBytes += response.rawPayload.length;
    }
    expect(assets.filter((url) => url.endsWith('.js')).length).toBeGreaterThan(1);
    expect(scriptBytes).toBeLessThan(30 * 1_024);
  });

  test('of a page allow its inline style, so that one small response is enough to render it', async ({
    app,
    merchant,
  }) => {
    const url = await newAddress(app, merchant);
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
    // The initial congestion window of TCP.
    expect(coded.rawPayload.length).toBeLessThan(14_600);
    const [, style = ''] = /<style>([^<]*)<\/style>/.exec(plain.body) ?? [];
    const hash = createHash('sha256').update(style).digest('base64');
    expect(plain.headers['content-security-policy']).toContain(`style-src 'sha256-${hash}';`);
    expect(plain.body).not.toMatch(/<link rel="stylesheet"|<script(?! type="module" src="\/)/);
  });

  test('of the icon of each method have the type of SVG', async ({ app, merchant, customer }) => {
    const { text } = await customer.get(await newAddress(app, merchant));
    const icons = [...text.matchAll(/src="(\/icons\/methods\/[^"]+)"/g)].map((match) => match[1] ?? '');
    expect(icons).toHaveLength(13);
    for (const url of icons) {
      const response = await app.app.inject({ url });
      expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'image/svg+xml']);
      expect(response.body).toContain('<svg');
    }
  });
});

describe('invalid requests', () => {
  const key = (merchant: NewMerchant) => merchant.keys.live.publishableKey;

  test.for<[string, (merchant: NewMerchant) => string, number, string]>([
    ['no parameter', () => '/checkout', 400, 'This link is incomplete'],
    ['an unknown session', () => '/checkout?sessionId=ses_x', 404, 'We can’t find this payment'],
    ['an unknown link', () => '/checkout?link=lnk_x', 404, 'We can’t find this payment'],
    ['an unknown token', () => '/checkout?charge=ch_x.y', 404, 'We can’t find this payment'],
    [
      'an unknown key',
      () => '/checkout?apiKey=pk_live_x&amount=1&currency=HKD',
      404,
      'We don’t recognize this shop',
    ],
    ['a key with U+0000', () => '/checkout?apiKey=%00&amount=1&currency=HKD', 400, 'This link doesn’t work'],
    ['a session with it', () => '/checkout?sessionId=%00', 400, 'This link doesn’t work'],
    ['a link with it', () => '/checkout?link=%00', 400, 'This link doesn’t work'],
    ['a token with it', () => '/checkout?charge=%00.y', 400, 'This link doesn’t work'],
    [
      'the secret of an API key',
      (merchant) => `/checkout?apiKey=${merchant.keys.live.apiSecret}&amount=1&currency=HKD`,
      404,
      'We don’t recognize this shop',
    ],
    [
      'a bad amount',
      (merchant) => `/checkout?apiKey=${key(merchant)}&amount=1.234&currency=HKD`,
      400,
      'contains an error',
    ],
    [
      'an unknown currency',
      (merchant) => `/checkout?apiKey=${key(merchant)}&amount=1&currency=QQQ`,
      422,
      'This link doesn’t work',
    ],
    [
      'a huge amount',
      (merchant) => `/checkout?apiKey=${key(merchant)}&amount=99999999999&currency=HKD`,
      422,
      'can’t be paid here',
    ],
    [
      'a hash of other terms',
      (merchant) => `/checkout?apiKey=${key(merchant)}&amount=10&currency=HKD&hash=${'0'.repeat(64)}`,
      422,
      'This link doesn’t work',
    ],
    ['an unknown page', () => '/checkout/nowhere?x=<script>', 404, 'Page not found'],
  ] as const)(
    'for %s return a page that helps',
    async ([_name, address, status, text], { merchant, customer }) => {
      const visit = await customer.get(address(merchant));
      expect(visit.status).toBe(status);
      expect(visit.main).toContain(text);
      expect(visit.headers['www-authenticate']).toBeUndefined();
    },
  );

  test('that another site sends in the browser return 403', async ({ app, merchant, customer }) => {
    const { id, mode } = await newSession(app, merchant);
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
    const sameOrigin = await customer.post(address, payForm, {
      host: 'pay.example',
      origin: 'http://pay.example',
    });
    expect(sameOrigin.status).toBe(303);
  });

  test('for a method that the session does not offer return 422, and another can then be chosen', async ({
    app,
    merchant,
    customer,
  }) => {
    const address = await newAddress(app, merchant, { methods: ['fps', 'paynow'] });
    const rejected = await customer.post(address, { ...payForm, method: 'toss' });
    expect(rejected.status).toBe(422);
    expect(rejected.main).toContain('This method isn’t available for this payment right now');
    expect(rejected.text).toContain('value="mei@example.com"');
    expect((await customer.post(address, payForm)).status).toBe(303);
  });

  test('with a body that is no form return 415 without internal details', async ({ app, merchant }) => {
    const response = await app.app.inject({
      method: 'POST',
      url: await newAddress(app, merchant),
      headers: { 'content-type': 'application/xml', 'sec-fetch-site': 'same-origin' },
      payload: '<a/>',
    });
    expect(response.statusCode).toBe(415);
    expect(response.headers['content-type']).toContain('text/html');
    expect(response.body).not.toMatch(/FST_|at \w+ \(|node_modules/);
  });

  test('the session cookie is limited to the checkout, and not readable by scripts', async ({
    app,
    merchant,
    customer,
  }) => {
    const claimed = await customer.post(await newAddress(app, merchant), { do: 'claim' });
    expect(String(claimed.headers['set-cookie'])).toMatch(
      /^causeway_browser=[\w-]{43}; Max-Age=\d+; Path=\/checkout; HttpOnly; SameSite=Lax$/,
    );
  });
});

describe('input of merchants and customers', () => {
  const hostile = `"><script>alert('x')</script><img src=x onerror=alert(1)>&amp;`;

  test('is escaped in every page', async ({ app, merchant, customer }) => {
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
    pages.push(
      await customer.post(await newAddress(app, merchant), { do: 'pay', method: hostile, email: hostile }),
    );
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

test('a shared browser keeps the cookies of its 20 newest payments', async ({ app, clock, merchant }) => {
  const link = await seedCheckoutLink(app.context.service, merchant, { now: noon });
  const cookies = new Map<string, string>();
  const visit = async (url: string, form?: Record<string, string>) => {
    const response = await app.app.inject({
      url,
      ...(form && { method: 'POST', payload: new URLSearchParams(form).toString() }),
      headers: {
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'content-type': 'application/x-www-form-urlencoded',
      },
    });
    for (const { name, value, expires, ...flags } of response.cookies) {
      expect(flags).toMatchObject({ path: '/checkout', httpOnly: true, sameSite: 'Lax' });
      if (expires && expires.getTime() <= Date.now()) cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  };
  // More cookies than one response removes, as stored before the limit existed.
  const { secrets } = app.context.service;
  for (let i = 10; i < 70; i++)
    cookies.set(
      `causeway_made_ch_0000${i}`,
      createCreatorToken(secrets, { id: `ch_0000${i}`, mode: 'live' }),
    );
  const paid: string[] = [];
  for (let i = 0; i < 23; i++) {
    clock.set(minutesAfter(noon, i));
    const { headers } = await visit(`${linkPath(link)}&view=new`, payForm);
    paid.push(String(headers.location));
    await visit(String(headers.location));
  }
  expect(cookies.size).toBe(20);
  const isOwn = async (address: string) => (await visit(address)).body.includes('mei@example.com');
  expect(await Promise.all(paid.slice(0, 3).map(isOwn))).toEqual([false, false, false]);
  expect(await Promise.all(paid.slice(3).map(isOwn))).toEqual(paid.slice(3).map(() => true));
});

test('of two requests without a cookie, only the one that claims the session receives one', async ({
  app,
  clock,
  merchant,
}) => {
  clock.set(noon);
  for (const form of [payForm, { do: 'claim' }, { do: 'cancel' }]) {
    const session = await seedSession(app.context.service, merchant, { now: noon });
    const address = sessionPath(session);
    const first = await createPageVisitor(app.app).post(address, { do: 'claim' });
    expect(String(first.headers['set-cookie'])).toContain('causeway_browser=');
    const late = await createPageVisitor(app.app).post(address, form);
    expect([late.status, late.headers['set-cookie']]).toEqual([303, undefined]);
  }
  const charged = await seedSession(app.context.service, merchant, { now: noon });
  const address = sessionPath(charged);
  const first = await createPageVisitor(app.app).post(address, payForm);
  expect(String(first.headers['set-cookie'])).toContain('causeway_browser=');
  expect((await createPageVisitor(app.app).post(address, payForm)).headers['set-cookie']).toBeUndefined();
});

test('with an https PUBLIC_URL, a cookie that another subdomain can set does not reveal the customer of a charge', async ({
  app,
  clock,
  merchant,
}) => {
  clock.set(noon);
  const { service } = app.context;
  const link = await seedCheckoutLink(service, merchant, { now: noon });
  setPublicUrl(onTestFinished, service, 'https://pay.example');
  const started = await createPageVisitor(app.app).post(linkPath(link), payForm);
  const [, name, value] =
    /(__Host-causeway_made_\w+)=([^;]+); .*Path=\/; HttpOnly; Secure; SameSite=Lax/.exec(
      String(started.headers['set-cookie']),
    )!;
  const isOwn = async (cookie: string) =>
    (await app.app.inject({ url: started.location, headers: { cookie } })).body.includes('mei@example.com');
  expect(await isOwn(`${name}=${value}`)).toBe(true);
  expect(await isOwn(`${name!.replace('__Host-', '')}=${value}`)).toBe(false);
});

test('with an https PUBLIC_URL, the browser is identified by a cookie that no other site can set', async ({
  app,
  clock,
  merchant,
}) => {
  clock.set(noon);
  const { service } = app.context;
  const session = await seedSession(service, merchant, { now: noon });
  setPublicUrl(onTestFinished, service, 'https://pay.example');
  const claim = await createPageVisitor(app.app).post(sessionPath(session), { do: 'claim' });
  expect(String(claim.headers['set-cookie'])).toMatch(
    /^__Host-causeway_browser=[\w-]{43}; .*Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  );
});

describe('a closed or used link', () => {
  test('redirects the browser that used it to its payment, also for a repeated form', async ({
    app,
    merchant,
  }) => {
    const { address } = await seedSingleUseLink(app, merchant, { mode: 'sandbox' });
    const customer = createPageVisitor(app.app);
    const paid = await customer.post(address, payForm);
    expect([paid.status, (await customer.get(paid.location)).status]).toEqual([303, 200]);
    const back = await customer.get(address);
    expect([back.status, back.location]).toEqual([302, paid.location]);
    const repeated = await customer.post(address, payForm);
    expect([repeated.status, repeated.location]).toEqual([303, paid.location]);
    expect((await customer.get(back.location)).main).toContain('Waiting for your payment');
  });

  test('redirects to the newest of the browser’s payments', async ({ app, merchant }) => {
    const link = await seedCheckoutLink(app.context.service, merchant, { now: noon });
    const address = linkPath(link);
    const customer = createPageVisitor(app.app);
    const again = `${address}&view=new`;
    const paid = [await customer.post(address, payForm), await customer.post(again, payForm)];
    const locations = paid.map(({ location }) => location).sort();
    expect(new Set(locations).size).toBe(2);
    await closeLink(app, merchant, link.id);
    expect((await customer.get(address)).location).toBe(locations[1]);
  });

  test('returns 410 to other browsers, with a link back to the shop', async ({ app, merchant }) => {
    const { address } = await seedSingleUseLink(app, merchant);
    await createPageVisitor(app.app).post(address, payForm);
    const { link, address: closed } = await seedSingleUseLink(app, merchant);
    await closeLink(app, merchant, link.id);
    const other = createPageVisitor(app.app);
    // This is a payment of another link.
    await other.post((await seedSingleUseLink(app, merchant)).address, payForm);
    for (const gone of [address, closed]) {
      for (const visit of [await other.get(gone), await other.post(gone, payForm)]) {
        expect([visit.status, visit.main.includes('This payment link is closed')]).toEqual([410, true]);
        expect(visit.main).toContain('Back to Harbour Teas');
        expect(visit.text).toContain(`href="${redirectUrl}"`);
      }
    }
  });

  test('returns 410 for an invented cookie', async ({ app, merchant }) => {
    const { address } = await seedSingleUseLink(app, merchant);
    const paid = await createPageVisitor(app.app).post(address, payForm);
    const id = /charge=(ch_\w+)/.exec(paid.location)?.[1];
    const cookie = `causeway_made_${id}=${'A'.repeat(43)}`;
    expect((await createPageVisitor(app.app).get(address, { cookie })).status).toBe(410);
  });
});

describe('The QR code of the page', () => {
  test('contains no terms of a checkout URL, which may be too long for it', async ({
    app,
    service,
    merchant,
  }) => {
    const path = `${chargePath(service, await seedCharge(service, merchant))}&lang=en`;
    const { text } = await createPageVisitor(app.app).get(`${path}&notifyPayload=${'x'.repeat(4_000)}`);
    const [, source = ''] = /src="(\/checkout\/page-qr\.png[^"]+)"/.exec(text)!;
    const { statusCode, rawPayload } = await app.app.inject(source.replaceAll('&amp;', '&'));
    expect(statusCode).toBe(200);
    expect(rawPayload).toEqual(renderQrPng(`${service.settings.publicUrl}${path}`));
  });

  test.for([
    ['without a payment', 'notifyPayload=x'],
    ['of an address that is too long', `charge=${'x'.repeat(2_000)}`],
  ])('returns 404 %s', async ([, query], { app }) => {
    expect((await app.app.inject(`/checkout/page-qr.png?${query}`)).statusCode).toBe(404);
  });
});

test('a disabled merchant receives no new payments, but open ones can be viewed and cancelled', async ({
  app,
  clock,
  service,
  merchant,
}) => {
  const charge = await seedCharge(service, merchant);
  const session = await seedSession(service, merchant, { now: noon });
  const customer = createPageVisitor(app.app);
  const chargedAddress = await newAddress(app, merchant);
  await customer.post(chargedAddress, payForm);
  expect((await customer.get(chargedAddress)).main).toContain('Pay another way');
  await service.prisma.merchant.update({ where: { id: merchant.merchant.id }, data: { disabledAt: noon } });
  expect((await customer.get(sessionPath(session))).status).toBe(403);
  const shown = await customer.get(chargePath(service, charge));
  expect([shown.status, shown.main.includes('Waiting for your payment')]).toEqual([200, true]);
  expect((await customer.get(chargedAddress)).main).not.toContain('Pay another way');
  const changed = await customer.post(chargedAddress, { do: 'change', method: 'hk-bank-transfer' });
  const headers = { 'cancel-token': createCancelToken(service.secrets, charge) };
  const cancelled = await app.app.inject({ method: 'PATCH', url: `/charges/${charge.id}/cancel`, headers });
  expect([cancelled.statusCode, cancelled.json()]).toEqual([200, true]);
  clock.set(minutesAfter(noon, 31));
  expect((await customer.get(chargedAddress)).main).not.toContain('Start again');
  const startedAgain = await customer.post(chargedAddress, { do: 'change', method: 'fps' });
  expect([changed.status, startedAgain.status]).toEqual([403, 403]);
  expect(await service.prisma.charge.count({ where: { merchantId: merchant.merchant.id } })).toBe(2);
});

test('pages of a disabled merchant do not deny payments that were received', async ({
  app,
  service,
  merchant,
}) => {
  const charge = await seedCompletedCharge(service, merchant);
  const owner = { merchantId: merchant.merchant.id, mode: 'sandbox', actor: 'user:test', now: noon } as const;
  const { refund } = await createRefund(service, {
    ...owner,
    input: { chargeId: charge.id, customerAmount: 20 },
  });
  const path = toPath(getRefundDetailsUrl(service, refund)!);
  await service.prisma.merchant.update({ where: { id: merchant.merchant.id }, data: { disabledAt: noon } });
  const { status, main } = await createPageVisitor(app.app).get(path);
  expect(status).toBe(403);
  expect(main).toContain('If you’ve already paid, your payment is still valid.');
  expect(main).not.toContain('You haven’t been charged');
});
