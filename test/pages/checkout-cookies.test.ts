import { beforeAll, expect, onTestFinished, test } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { createCreatorToken } from '../../src/domain/payments/checkout/page-tokens.ts';
import { setupApp, type TestApp } from '../setup/app.ts';
import { linkPath, payForm, seedCheckoutLink, seedSession, sessionPath } from '../setup/checkout.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { createFakeClock } from '../setup/fake-clock.ts';
import { createPageVisitor } from '../setup/page-visitor.ts';
import { minutesAfter, noon, seedMerchant } from '../setup/seed.ts';
import { setPublicUrl } from '../setup/service.ts';

const onCleanup = cleanupAfterFile();

const clock = createFakeClock(noon);
let app: TestApp;
let merchant: NewMerchant;

beforeAll(async () => {
  app = await setupApp(onCleanup, { clock });
  merchant = await seedMerchant(app.context.service);
});

test('a tablet at which many pay keeps what proves the newest payments alone', async () => {
  const link = await seedCheckoutLink(app.context.service, merchant, { now: noon });
  const kept = new Map<string, string>();
  const visit = async (url: string, form?: Record<string, string>) => {
    const answer = await app.app.inject({
      url,
      ...(form && { method: 'POST', payload: new URLSearchParams(form).toString() }),
      headers: {
        cookie: [...kept].map(([name, value]) => `${name}=${value}`).join('; '),
        'content-type': 'application/x-www-form-urlencoded',
      },
    });
    for (const { name, value, expires, ...flags } of answer.cookies) {
      expect(flags).toMatchObject({ path: '/checkout', httpOnly: true, sameSite: 'Lax' });
      if (expires && expires.getTime() <= Date.now()) kept.delete(name);
      else kept.set(name, value);
    }
    return answer;
  };
  // From before there was a bound: more than one answer can take away.
  const { secrets } = app.context.service;
  for (let i = 10; i < 70; i++)
    kept.set(`causeway_made_ch_0000${i}`, createCreatorToken(secrets, { id: `ch_0000${i}`, mode: 'live' }));
  const paid: string[] = [];
  for (let i = 0; i < 23; i++) {
    clock.set(minutesAfter(noon, i));
    const { headers } = await visit(linkPath(link), payForm);
    paid.push(String(headers.location));
    await visit(String(headers.location));
  }
  expect(kept.size).toBe(20);
  const isOwn = async (address: string) => (await visit(address)).body.includes('mei@example.com');
  expect(await Promise.all(paid.slice(0, 3).map(isOwn))).toEqual([false, false, false]);
  expect(await Promise.all(paid.slice(3).map(isOwn))).toEqual(paid.slice(3).map(() => true));
});

test('of two requests that bring no cookie, the one that gets the session alone is given one', async () => {
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

test('with an https PUBLIC_URL a cookie that a sibling subdomain can set does not show a charge’s customer', async () => {
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

test('with an https PUBLIC_URL the browser of a customer is known by a cookie that nobody else can set', async () => {
  clock.set(noon);
  const { service } = app.context;
  const session = await seedSession(service, merchant, { now: noon });
  setPublicUrl(onTestFinished, service, 'https://pay.example');
  const claim = await createPageVisitor(app.app).post(sessionPath(session), { do: 'claim' });
  expect(String(claim.headers['set-cookie'])).toMatch(
    /^__Host-causeway_browser=[\w-]{43}; .*Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  );
});
