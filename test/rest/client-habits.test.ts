import { describe, expect } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { callAsMerchant } from '../setup/api.ts';
import { appTest as test } from '../setup/app-fixtures.ts';
import { seedCharge } from '../setup/seed.ts';

const setOrigins = (service: Service, merchant: NewMerchant, allowedOrigins: string[]) =>
  service.prisma.apiKey.update({
    where: { key: merchant.keys.live.publishableKey },
    data: { allowedOrigins },
  });

describe('A null member', () => {
  test('of a body is treated as absent, also in nested objects', async ({ app, merchant }) => {
    const customer = { email: 'ada@example.com', phone: null, firstName: null };
    const orders = [{ id: 'o-1', name: null, quantity: 1, amount: null }];
    const body = { amount: 20, currency: 'HKD', customer, orders, methods: null, notifyUrl: null };
    const { status, json } = await callAsMerchant(app, merchant, 'POST', '/sessions', body);
    expect(status).toBe(201);
    expect(json.customer).toEqual({ email: 'ada@example.com' });
    expect(json.orders).toEqual([{ id: 'o-1', quantity: 1 }]);
    expect(json).not.toHaveProperty('notifyUrl');
  });

  test('that is required is reported as missing', async ({ app, merchant }) => {
    const body = { amount: null, currency: 'HKD' };
    const { status, json } = await callAsMerchant(app, merchant, 'POST', '/sessions', body);
    expect([status, json.errors[0]]).toEqual([400, { path: '/amount', message: 'is required' }]);
  });

  test('with an unknown name is rejected', async ({ app, merchant }) => {
    const body = { amount: 5, currency: 'HKD', cart: null };
    expect((await callAsMerchant(app, merchant, 'POST', '/sessions', body)).json.errors[0].path).toBe(
      '/cart',
    );
  });
});

describe('An API key in place of the publishable key', () => {
  const createLink = (
    app: Parameters<typeof callAsMerchant>[0],
    merchant: NewMerchant,
    redirectUrl: string,
  ) =>
    callAsMerchant(app, merchant, 'POST', '/checkout-link', {
      amount: 20,
      currency: 'HKD',
      apiKey: merchant.keys.live.apiKey,
      redirectUrl,
    });

  test('creates a checkout link and opens a checkout URL', async ({ app, merchant }) => {
    expect((await createLink(app, merchant, 'https://shop.example/')).status).toBe(200);
    const url = `/checkout?apiKey=${merchant.keys.live.apiKey}&amount=20&currency=HKD`;
    expect((await app.app.inject({ url })).statusCode).toBe(200);
  });

  test('accepts only the origins that every publishable key allows', async ({ app, service, merchant }) => {
    await setOrigins(service, merchant, ['https://shop.example', 'https://tea.example']);
    const other = { allowedOrigins: ['https://tea.example'], key: `pk_live_${merchant.merchant.id}` };
    const row = await service.prisma.apiKey.findUniqueOrThrow({
      where: { key: merchant.keys.live.publishableKey },
    });
    await service.prisma.apiKey.create({ data: { ...row, ...other, id: `${row.id}2` } });
    expect((await createLink(app, merchant, 'https://tea.example/')).status).toBe(200);
    const { status, json } = await createLink(app, merchant, 'https://shop.example/');
    expect([status, json.errors[0].path]).toEqual([400, '/redirectUrl']);
  });

  test('accepts no origin if the publishable keys have none in common', async ({
    app,
    service,
    merchant,
  }) => {
    await setOrigins(service, merchant, ['https://shop.example']);
    const row = await service.prisma.apiKey.findUniqueOrThrow({
      where: { key: merchant.keys.live.publishableKey },
    });
    const other = { allowedOrigins: ['https://tea.example'], key: `pk_live_${merchant.merchant.id}` };
    await service.prisma.apiKey.create({ data: { ...row, ...other, id: `${row.id}2` } });
    for (const url of ['https://shop.example/', 'https://tea.example/'])
      expect((await createLink(app, merchant, url)).status).toBe(400);
  });

  test('is rejected if the merchant has no publishable key of the mode', async ({
    app,
    service,
    merchant,
  }) => {
    await service.prisma.apiKey.update({
      where: { key: merchant.keys.live.publishableKey },
      data: { revokedAt: new Date('2026-01-01T00:00:00Z') },
    });
    const { status, json } = await createLink(app, merchant, 'https://shop.example/');
    expect([status, json.errors[0].path]).toEqual([400, '/apiKey']);
  });
});

test('customerEmail lists no charge that shows no email', async ({ app, service, merchant, clock }) => {
  const input = { email: 'later@example.com' };
  const charge = await seedCharge(service, merchant, { input, now: clock.now() });
  const hidden = await seedCharge(service, merchant, {
    input: { ...input, notifyPayload: 'another' },
    now: clock.now(),
  });
  await service.prisma.charge.update({ where: { id: hidden.id }, data: { email: null } });
  const { json } = await callAsMerchant(app, merchant, 'GET', '/charges?customerEmail=later@example.com');
  expect(json.charges.map(({ id }: { id: string }) => id)).toEqual([charge.id]);
});
