import { describe, expect } from 'vitest';
import type { Prisma } from '../../prisma/client/client.ts';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { parsePageSettings } from '../../src/domain/accounts/merchant/parse-page-settings.ts';
import { getManageUrl } from '../../src/domain/billing/subscription/customer-pages.ts';
import { hasOrderMismatch } from '../../src/domain/platform/order-line.ts';
import { toPath } from '../../src/pages/to-path.ts';
import type { TestApp } from '../setup/app.ts';
import { appTest } from '../setup/app-fixtures.ts';
import { linkPath, payForm, seedCheckoutLink, seedSession, sessionPath } from '../setup/checkout.ts';
import { createPageVisitor } from '../setup/page-visitor.ts';
import { minutesAfter, noon } from '../setup/seed.ts';
import { seedActiveSubscription, seedPlan } from '../setup/subscriptions.ts';

const test = appTest.extend('customer', ({ app }) => createPageVisitor(app.app));

const update = (app: TestApp, { merchant }: NewMerchant, data: Prisma.MerchantUpdateInput) =>
  app.context.service.prisma.merchant.update({ where: { id: merchant.id }, data });

describe('Page settings', () => {
  test('add the contact, the terms and the privacy policy to every page', async ({
    app,
    clock,
    merchant,
    customer,
  }) => {
    await update(app, merchant, {
      supportEmail: 'help@shop.example',
      termsUrl: 'https://shop.example/terms',
      privacyUrl: 'https://shop.example/privacy',
    });
    const path = sessionPath(await seedSession(app.context.service, merchant, { now: noon }));
    const choose = (await customer.get(path)).text;
    await customer.post(path, payForm);
    const pay = (await customer.get(path)).text;
    clock.set(minutesAfter(noon, 61));
    const expired = (await customer.get(path)).text;
    const { service } = app.context;
    const subscription = await seedActiveSubscription(service, merchant, {
      plan: await seedPlan(service, merchant, { mode: 'live' }),
    });
    const manage = (await customer.get(toPath(getManageUrl(service, subscription)))).text;
    for (const text of [choose, pay, expired, manage]) {
      expect(text).toContain('<a href="mailto:help@shop.example">Contact Harbour Teas</a>');
      expect(text).toContain('<a href="https://shop.example/terms">Terms</a>');
      expect(text).toContain('<a href="https://shop.example/privacy">Privacy policy</a>');
      expect(text).toContain('<meta property="og:site_name" content="Harbour Teas">');
      expect(text).toMatch(/<meta property="og:title" content="[^"]+">/);
    }
  });

  test('add the website as the return address of payments without one', async ({
    app,
    merchant,
    customer,
  }) => {
    const link = await seedCheckoutLink(app.context.service, merchant, { now: noon });
    const { location } = await customer.post(linkPath(link), payForm);
    await customer.post(location, { do: 'cancel' });
    expect((await customer.get(location)).main).not.toContain('Back to Harbour Teas');
    await update(app, merchant, { websiteUrl: 'https://shop.example/' });
    expect((await customer.get(location)).text).toContain('href="https://shop.example/"');
  });

  test('fold the methods of other countries if the language names none', async ({
    app,
    merchant,
    customer,
  }) => {
    const link = await seedCheckoutLink(app.context.service, merchant, { now: noon });
    const get = async (language: string) => {
      const { text } = await customer.get(linkPath(link), { 'accept-language': language });
      return text.includes('<details class="countries"');
    };
    expect(await get('en')).toBe(false);
    await update(app, merchant, { country: 'HK' });
    expect([await get('en'), await get('en-SG')]).toEqual([true, true]);
  });

  test('reject URLs without encryption, and countries without a method', () => {
    const parse = (input: Parameters<typeof parsePageSettings>[0]) => () => parsePageSettings(input);
    for (const termsUrl of [
      'http://shop.example',
      'javascript:alert(1)',
      'shop.example',
      'https://a:b@shop.example',
    ])
      expect(parse({ termsUrl })).toThrow(/begins with https/);
    expect(parse({ country: 'US' })).toThrow(/country of a payment method/);
    expect(parse({ supportEmail: 'help', country: 'US' })).toThrow(
      expect.objectContaining({
        inputErrors: [
          expect.objectContaining({ path: '/supportEmail' }),
          expect.objectContaining({ path: '/country' }),
        ],
      }),
    );
    expect(parsePageSettings({ websiteUrl: ' ', country: null })).toEqual({ websiteUrl: '', country: '' });
  });
});

test('order lines show the price of one and of all, and add up', async ({ app, merchant, customer }) => {
  const orders = [{ name: 'Dragon Well', quantity: 2, amount: 48 }];
  const input = { amount: 96, currency: 'HKD', orders };
  const session = await seedSession(app.context.service, merchant, { input, now: noon });
  const { main } = await customer.get(sessionPath(session));
  expect(main).toMatch(/Dragon Well .*2 × .*48\.00.* .*96\.00/);
  const line = { quantity: 2, amount: '48.00' };
  expect(hasOrderMismatch([line], { minor: 9_600n, currency: 'HKD' })).toBe(false);
  expect(hasOrderMismatch([line], { minor: 9_800n, currency: 'HKD' })).toBe(true);
  expect(hasOrderMismatch([line, { name: 'Gift' }], { minor: 9_800n, currency: 'HKD' })).toBe(false);
});
