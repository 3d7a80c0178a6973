import { describe, expect } from 'vitest';
import type { CreateCheckoutLinkInput } from '../../src/domain/payments/checkout-link/create-checkout-link.ts';
import { appTest } from '../setup/app-fixtures.ts';
import { linkPath, payForm, seedCheckoutLink } from '../setup/checkout.ts';
import { doneOrCode } from '../setup/errors.ts';
import { createPageVisitor } from '../setup/page-visitor.ts';
import { noon } from '../setup/seed.ts';

const test = appTest
  .extend('customer', ({ app }) => createPageVisitor(app.app))
  .extend('openLink', ({ app, merchant }) => async (input: Partial<CreateCheckoutLinkInput> = {}) => {
    const custom = { amount: null, customAmount: { min: 10, max: 500 }, ...input };
    const link = await seedCheckoutLink(app.context.service, merchant, { now: noon, input: custom });
    return { link, address: linkPath(link) };
  });

describe('a link with an amount that the customer chooses', () => {
  test('asks for the amount first, and creates a charge of that amount', async ({
    app,
    customer,
    openLink,
  }) => {
    const { link, address } = await openLink();
    const { text } = await customer.get(address);
    expect(text).toContain('Amount in HKD');
    expect(text).toContain('Enter an amount from HK$10.00 to HK$500.00.');
    expect(text).toContain('inputmode="decimal"');
    expect(text).not.toContain('name="method"');

    const { status, location } = await customer.post(address, { do: 'amount', amount: ' 123.5 ' });
    expect({ status, location }).toEqual({ status: 303, location: `${address}&amount=123.50` });
    const choice = await customer.get(`${address}&amount=123.50`);
    expect(choice.text).toContain('HK$123.50');
    expect(choice.text).toContain(`href="${address.replaceAll('&', '&amp;')}">Change the amount`);

    const paid = await customer.post(`${address}&amount=123.50`, payForm);
    expect(paid.status).toBe(303);
    const charge = await app.context.service.prisma.charge.findFirstOrThrow({
      where: { checkoutLinkId: link.id },
    });
    expect(charge).toMatchObject({ merchantAmount: 12_350n, merchantCurrency: 'HKD' });
    expect((await customer.get(paid.location)).main).toContain('HK$123.50');
  });

  test.for([
    ['nothing', '', 'Enter an amount, such as 125.50.'],
    ['words', 'ten', 'Enter an amount, such as 125.50.'],
    ['too many decimals', '10.555', 'Enter an amount, such as 125.50.'],
    ['less than the minimum', '9.99', 'Enter an amount from HK$10.00 to HK$500.00.'],
    ['more than the maximum', '500.01', 'Enter an amount from HK$10.00 to HK$500.00.'],
  ] as const)(
    'shows the error of %s beside the field',
    async ([_name, amount, error], { customer, openLink }) => {
      const { address } = await openLink();
      const { status, text } = await customer.post(address, { do: 'amount', amount });
      expect(status).toBe(400);
      expect(text).toContain(`<a href="#amount">${error}</a>`);
      expect(text).toContain(`id="amount-error">${error}`);
      expect(text).toContain('aria-invalid="true"');
      expect((await customer.get(`${address}&amount=${amount || '0'}`)).status).toBe(400);
      // A form for which the amount was removed from the URL creates no charge.
      expect((await customer.post(`${address}&amount=${amount}`, payForm)).status).toBe(400);
    },
  );

  test.for([
    ['VND', 'vi-VN', '1.250.000', '1250000', 'numeric'],
    ['IDR', 'id-ID', '50.000', '50000.00', 'numeric'],
    ['HKD', 'en-HK', '１,２５０.５', '1250.50', 'decimal'],
  ] as const)(
    'reads an amount in %s as customers of the region write it',
    async ([currency, language, typed, amount, inputMode], { customer, openLink }) => {
      const { address } = await openLink({ currency, customAmount: {} });
      const headers = { 'accept-language': language, 'sec-fetch-site': 'same-origin' };
      expect((await customer.get(address, headers)).text).toContain(`inputmode="${inputMode}"`);
      const { location } = await customer.post(address, { do: 'amount', amount: typed }, headers);
      expect(location).toBe(`${address}&amount=${amount}`);
    },
  );

  test('asks again for an amount that no method accepts', async ({ customer, openLink }) => {
    const { address } = await openLink({ customAmount: {} });
    const { status, text } = await customer.get(`${address}&amount=900000000000.00`);
    expect(status).toBe(400);
    expect(text).toContain('None of this shop’s payment methods can be used for this payment.');
    expect(text).toContain('value="900000000000.00"');
  });

  test.for([
    ['neither a fixed nor a custom amount', { customAmount: null }],
    ['both', { amount: 5 }],
    ['a minimum above the maximum', { customAmount: { min: 6, max: 5 } }],
    ['a minimum of zero', { customAmount: { min: 0 } }],
  ])('is not created with %s', async ([_name, input], { openLink }) => {
    expect(await doneOrCode(openLink(input as Partial<CreateCheckoutLinkInput>))).toBe('invalid_request');
  });

  test.for(['hkd', 'ABC'])(
    'is not created in the unsupported currency %s',
    async (currency, { openLink }) => {
      for (const customAmount of [{}, { min: 5 }])
        expect(await doneOrCode(openLink({ currency, customAmount }))).toBe('currency_unsupported');
    },
  );
});
