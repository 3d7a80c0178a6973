import { describe, expect } from 'vitest';
import { createSubscriptionLink } from '../../src/domain/billing/subscription/create-subscription-link.ts';
import { getEnrolmentUrl } from '../../src/domain/billing/subscription/customer-pages.ts';
import { toPath } from '../../src/pages/to-path.ts';
import { findAccessibilityErrors, findOverflow } from '../setup/accessibility.ts';
import { desktop } from '../setup/browser.ts';
import { linkPath, payForm, seedCheckoutLink, seedSession, sessionPath } from '../setup/checkout.ts';
import { type CheckoutSite, checkoutTest as test } from '../setup/checkout-site.ts';
import { createPageVisitor } from '../setup/page-visitor.ts';
import { phoneVerificationTest } from '../setup/phone-verification.ts';
import { seedPlan } from '../setup/subscriptions.ts';

/** Pages do not show a payer the phone number and the names that the merchant entered for another customer. */

const input = {
  currency: 'HKD',
  customer: {
    email: 'ada@example.com',
    phone: { code: '+852', phone: '51234567' },
    firstName: 'Ada',
    lastName: 'Wong',
  },
};
const adas = { email: 'ada@example.com', phone: '+85251234567', firstName: 'Ada', lastName: 'Wong' };
const fields = ['firstName', 'lastName', 'email', 'phone'] as const;

/** Creates a page that prefills the form with Ada's details; returns its path. */
const prefilledPages = {
  session: async ({ service, merchant }: CheckoutSite) =>
    sessionPath(await seedSession(service, merchant, { input, now: new Date() })),
  'link limited to one use': async ({ service, merchant }: CheckoutSite) =>
    linkPath(await seedCheckoutLink(service, merchant, { input: { ...input, usageLimit: 1 } })),
  'enrolment link': async ({ service, merchant }: CheckoutSite) => {
    const plan = await seedPlan(service, merchant, { now: new Date() });
    const { currency: _, ...customerInput } = input;
    const link = await createSubscriptionLink(service, {
      ...{ merchant: merchant.merchant, mode: plan.mode, now: new Date() },
      input: { subscriptionPlanId: plan.id, ...customerInput },
    });
    return toPath(getEnrolmentUrl(service, link));
  },
};

const readNewestDetails = async (site: CheckoutSite) => {
  const { email, phone, firstName, lastName } = await site.newestCharge();
  return { email, phone, firstName, lastName };
};

/** The values of the form of a page, as a browser without scripts sends them. */
function readForm(html: string): Record<string, string> {
  const inputs = [...html.matchAll(/<input\b[^>]*>/g)].map(([tag]) => ({
    name: /\bname="([^"]*)"/.exec(tag)?.[1] ?? '',
    value: /\bvalue="([^"]*)"/.exec(tag)?.[1] ?? '',
    type: /\btype="([^"]*)"/.exec(tag)?.[1],
  }));
  return Object.fromEntries(
    inputs.filter(({ type }) => type !== 'radio').map(({ name, value }) => [name, value]),
  );
}

describe.each(Object.entries(prefilledPages))('the page (%s)', (_, createPage) => {
  test('displays the details from the merchant, and the charge has those that the customer sent', async ({
    site,
  }) => {
    const path = await createPage(site);
    const customer = createPageVisitor(site.app);
    const form = readForm((await customer.get(path)).text);
    expect(form).toMatchObject({ ...adas, phone: '+852 5123 4567' });
    const { status } = await customer.post(path, { ...form, do: 'pay', method: 'fps' });
    expect(status).toBe(303);
    expect(await readNewestDetails(site)).toEqual(adas);
  });

  test('lets another payer replace or clear every detail', async ({ site }) => {
    const path = await createPage(site);
    const bob = createPageVisitor(site.app);
    const form = readForm((await bob.get(path)).text);
    const bobsDetails = { firstName: ' ', lastName: 'Chan', email: 'bob@example.com', phone: '' };
    const { location } = await bob.post(path, { ...form, ...bobsDetails, do: 'pay', method: 'fps' });
    expect(await readNewestDetails(site)).toEqual({
      ...{ email: 'bob@example.com', phone: null, firstName: null, lastName: 'Chan' },
    });
    const { text } = await bob.get(location.startsWith('/checkout?charge') ? location : path);
    expect(text).toContain('bob@example.com');
    for (const detail of ['5123', 'Ada', 'ada@']) expect(text).not.toContain(detail);
  });

  test('explains an invalid phone number, and preserves the entered values', async ({ site }) => {
    const path = await createPage(site);
    const customer = createPageVisitor(site.app);
    const form = { ...readForm((await customer.get(path)).text), do: 'pay', method: 'fps' };
    const before = await site.service.prisma.charge.count();
    for (const phone of ['51234567', '+852 12', 'call me', '+85251234567x']) {
      const { status, text, main } = await customer.post(path, { ...form, firstName: 'Bea', phone });
      expect([phone, status]).toEqual([phone, 400]);
      expect(main).toContain('Enter a phone number with its country code');
      expect(readForm(text)).toMatchObject({ firstName: 'Bea', phone });
    }
    expect(await site.service.prisma.charge.count()).toBe(before);
  });

  test('works by keyboard, without scripts, on a phone and on a desktop', async ({ site }) => {
    for (const options of [{ javaScriptEnabled: false }, desktop]) {
      const customer = await site.customer(options);
      const { page } = customer;
      await page.goto(`${site.origin}${await createPage(site)}`);
      await page.locator('input[value="fps"]').focus();
      await page.keyboard.press('Space');
      for (const name of fields) {
        await page.keyboard.press('Tab');
        while ((await page.locator(`#${name}:focus`).count()) === 0) await page.keyboard.press('Tab');
        expect(await page.locator(`#${name}`).inputValue()).not.toBe('');
      }
      expect(await findOverflow(page)).toEqual([]);
      if (!('javaScriptEnabled' in options)) expect(await findAccessibilityErrors(page)).toEqual([]);
      await page.locator('#phone').focus();
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.type('+65 8123 4567');
      await page.keyboard.press('Enter');
      await page.waitForURL(/charge=|sessionId=/);
      await page.getByText('Payment reference').first().waitFor();
      expect(await readNewestDetails(site)).toEqual({ ...adas, phone: '+6581234567' });
    }
  });
});

describe('a link that several customers may pay', () => {
  test.for([
    ['no limit', null],
    ['a limit of 2', 2],
  ] as const)('with %s does not show a customer the details of another', async ([, usageLimit], { site }) => {
    const link = await seedCheckoutLink(site.service, site.merchant, {
      input: { ...input, usageLimit },
    });
    const path = linkPath(link);
    const bob = createPageVisitor(site.app);
    const { text } = await bob.get(path);
    for (const detail of ['Ada', 'ada@', '5123', 'Wong']) expect(text).not.toContain(detail);
    expect(fields.filter((name) => text.includes(`name="${name}"`))).toEqual([
      'firstName',
      'lastName',
      'email',
    ]);
    const ownFields = { email: 'bob@example.com', firstName: 'Bob', lastName: 'Lee' };
    const { location } = await bob.post(path, { ...payForm, ...ownFields, phone: '+85251234567' });
    expect(await readNewestDetails(site)).toEqual({ ...ownFields, phone: null });
    expect((await bob.get(location)).main).toContain('Paying as bob@example.com');
  });
});

describe('phone verification', () => {
  phoneVerificationTest.for([
    ['kept the prefilled phone', {}],
    ['typed the phone', { phone: '+85251234567' }],
  ] as const)(
    'does not find a customer who %s on a page without verifying it',
    async ([_, typed], { app: { app }, service, merchant, clock, phoneVerification: api }) => {
      const path = sessionPath(
        await seedSession(service, merchant, { mode: 'sandbox', input, now: clock.now() }),
      );
      const bob = createPageVisitor(app);
      const form = readForm((await bob.get(path)).text);
      const sent = { ...form, ...typed, email: 'bob@example.com', do: 'pay', method: 'fps' };
      expect((await bob.post(path, sent)).status).toBe(303);
      const [bobs] = await service.prisma.charge.findMany({
        where: { merchantId: merchant.merchant.id },
      });
      expect(bobs).toMatchObject({ email: 'bob@example.com', phone: '+85251234567' });
      const ada = await api.charge({ verificationCode: await api.verificationCode() });
      expect(ada).toMatchObject({ status: 201, json: { customer: { phone: '+85251234567' } } });
      expect(ada.json.customer.id).not.toBe(bobs!.customerId);
      expect(ada.json.customer.email).toBeUndefined();
      const bobsCharge = await service.prisma.charge.findUniqueOrThrow({ where: { id: bobs!.id } });
      expect(bobsCharge.customerId).toBe(bobs!.customerId);
    },
  );

  phoneVerificationTest(
    'has its own customer, not the one who enters the phone with an email on a page',
    async ({ app: { app }, service, merchant, clock, phoneVerification: api }) => {
      const ada = await api.charge({ verificationCode: await api.verificationCode() });
      const session = await seedSession(service, merchant, {
        mode: 'sandbox',
        input,
        now: clock.now(),
      });
      const bob = createPageVisitor(app);
      const form = readForm((await bob.get(sessionPath(session))).text);
      await bob.post(sessionPath(session), { ...form, email: 'bob@example.com', do: 'pay', method: 'fps' });
      const customer = await service.prisma.customer.findUniqueOrThrow({
        where: { id: ada.json.customer.id },
      });
      expect(customer).toMatchObject({ email: null, phone: '+85251234567' });
      const bobs = await service.prisma.charge.findFirstOrThrow({ where: { sessionId: session.id } });
      expect(bobs.customerId).not.toBe(customer.id);
    },
  );
});
