import { beforeAll, describe, expect, test } from 'vitest';
import type { NewMerchant } from '../../src/domain/merchant/create-merchant.ts';
import { basic, callApi } from '../setup/api.ts';
import { type TestApp, testApp } from '../setup/app.ts';
import { makeMerchant } from '../setup/makers.ts';

let app: TestApp;
let merchant: NewMerchant;
let other: NewMerchant;

beforeAll(async () => {
  app = await testApp();
  merchant = await makeMerchant(app.context.service, {}, new Date());
  other = await makeMerchant(app.context.service, {}, new Date());
});

const call = (method: 'GET' | 'POST' | 'PATCH', url: string, body?: unknown, keys = merchant.keys.live) =>
  callApi(app.app, { method, url, keys, body });

const body = { email: 'ada@example.com', merchantAmount: 128.5, merchantCurrency: 'HKD', method: 'fps' };

describe('POST /charges', () => {
  test('answers 201 with the documented charge', async () => {
    const orders = [{ id: 'o-1', name: 'Tea', quantity: 2, amount: 64.25 }];
    const { status, json } = await call('POST', '/charges', { ...body, orders, notifyPayload: 'b3JkZXI=' });
    expect(status).toBe(201);
    expect(json).toMatchObject({
      merchantAmount: 128.5,
      merchantCurrency: 'HKD',
      customerAmount: 128.5,
      customerCurrency: 'HKD',
      method: 'fps',
      status: 'pending',
      customer: { email: 'ada@example.com' },
      destination: { accountName: 'Harbour Teas', nonce: expect.stringMatching(/^[A-Z]{5}\d{4}$/) },
      refunds: [],
      orders,
      notifyPayload: 'b3JkZXI=',
      isDuplicate: false,
      cancelToken: expect.any(String),
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect(json).not.toHaveProperty('sessionId');
  });

  test('the same again answers 200 and isDuplicate', async () => {
    const input = { ...body, email: 'again@example.com' };
    const first = await call('POST', '/charges', input);
    const second = await call('POST', '/charges', input);
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.json).toMatchObject({ id: first.json.id, isDuplicate: true });
  });

  test('is closed to live keys without restricted access, open to sandbox keys', async () => {
    const plain = await makeMerchant(app.context.service, { restricted: 'none' }, new Date());
    const live = await call('POST', '/charges', body, plain.keys.live);
    expect([live.status, live.json.code]).toEqual([403, 'restricted_endpoint']);
    expect((await call('POST', '/charges', body, plain.keys.sandbox)).status).toBe(201);
  });

  test.each([
    [{ ...body, merchantAmout: 5 }, '/merchantAmout', 'is unknown; did you mean merchantAmount?'],
    [{ ...body, merchantAmount: undefined }, '/merchantAmount', 'is required'],
    [{ ...body, merchantAmount: '128.5' }, '/merchantAmount', 'must be number'],
    [{ ...body, orders: [{ quantity: 1.5 }] }, '/orders/0/quantity', 'must be integer'],
    [{ ...body, email: undefined }, '', 'needs an email or a verificationCode'],
  ])('%o is refused, naming %s', async (input, path, message) => {
    const { status, json } = await call('POST', '/charges', input);
    expect([status, json.code]).toEqual([400, 'invalid_request']);
    expect(json.errors).toContainEqual({ path, message });
  });
});

describe('GET /charges/{id}', () => {
  test('shows the charge, with epoch timestamps when asked for', async () => {
    const created = await call('POST', '/charges', { ...body, email: 'get@example.com' });
    const { json } = await call('GET', `/charges/${created.json.id}`);
    const { isDuplicate: _, cancelToken: __, ...charge } = created.json;
    expect(json).toEqual(charge);
    const epoch = await call('GET', `/charges/${created.json.id}?timestamps=epoch`);
    expect(epoch.json.createdAt).toBe(Date.parse(json.createdAt));
  });

  test('another merchant’s charge, and the other mode’s, do not exist', async () => {
    const { json } = await call('POST', '/charges', { ...body, email: 'mine@example.com' });
    for (const keys of [other.keys.live, merchant.keys.sandbox]) {
      const answer = await call('GET', `/charges/${json.id}`, undefined, keys);
      expect([answer.status, answer.json.code]).toEqual([404, 'charge_not_found']);
    }
  });
});

describe('GET /charges', () => {
  test('lists newest first, pages and filters with exact totals', async () => {
    const keys = (await makeMerchant(app.context.service, {}, new Date())).keys.live;
    for (let i = 0; i < 12; i++) {
      await call(
        'POST',
        '/charges',
        { ...body, email: `c${i}@example.com`, method: i % 3 ? 'fps' : 'paynow' },
        keys,
      );
    }
    const first = await call('GET', '/charges', undefined, keys);
    expect(first.json.pagination).toEqual({ totalPages: 2, total: 12, currentPage: 1 });
    expect(
      first.json.charges.map((charge: { customer: { email: string } }) => charge.customer.email)[0],
    ).toBe('c11@example.com');
    const second = await call('GET', '/charges?page=2', undefined, keys);
    expect(second.json.charges).toHaveLength(2);
    const filtered = await call(
      'GET',
      '/charges?method=paynow&status=pending&customerEmail=C3%40example.com',
      undefined,
      keys,
    );
    expect(filtered.json.pagination.total).toBe(1);
    const beyond = await call('GET', '/charges?page=9&limit=5', undefined, keys);
    expect(beyond.json).toEqual({ charges: [], pagination: { totalPages: 3, total: 12, currentPage: 9 } });
  });

  test.each(['limit=0', 'limit=51', 'page=0', 'page=x', 'status=paid', 'startDate=2026-11-20', 'sort=asc'])(
    '?%s is refused',
    async (query) => {
      const { status, json } = await call('GET', `/charges?${query}`);
      expect([status, json.code]).toEqual([400, 'invalid_request']);
    },
  );
});

describe('PATCH /charges/{id}/cancel', () => {
  test('answers the literal true, and 409 the second time', async () => {
    const { json } = await call('POST', '/charges', { ...body, email: 'cancel@example.com' });
    const first = await call('PATCH', `/charges/${json.id}/cancel`);
    expect([first.status, first.text]).toEqual([200, 'true']);
    const second = await call('PATCH', `/charges/${json.id}/cancel`);
    expect([second.status, second.json.code]).toEqual([409, 'charge_not_pending']);
  });
});

describe('credentials', () => {
  test.each([
    ['none', {}],
    ['a wrong secret', { authorization: 'Basic Y2tfbGl2ZV94Ondyb25n' }],
    ['no Basic scheme', { authorization: 'Bearer abc' }],
  ])('%s: 401 with the way to authenticate', async (_, headers) => {
    const answer = await app.app.inject({ method: 'GET', url: '/charges', headers });
    expect(answer.statusCode).toBe(401);
    expect(answer.headers['www-authenticate']).toMatch(/^Basic/);
    expect(answer.headers['content-type']).toContain('application/problem+json');
    expect(answer.json()).toMatchObject({
      code: 'unauthenticated',
      requestId: answer.headers['x-request-id'],
    });
  });

  test('a secret of another key does not open it', async () => {
    const mixed = { ...merchant.keys.live, apiSecret: other.keys.live.apiSecret };
    expect((await call('GET', '/charges', undefined, mixed)).status).toBe(401);
  });
});

describe('unknown routes and bodies', () => {
  const headers = () => ({ authorization: basic(merchant.keys.live) });

  test('an unknown route is 404, a known one with another method 405 with Allow', async () => {
    const unknown = await app.app.inject({ method: 'GET', url: '/charge', headers: headers() });
    expect([unknown.statusCode, unknown.json().code]).toEqual([404, 'route_not_found']);
    const method = await app.app.inject({ method: 'DELETE', url: '/charges', headers: headers() });
    expect([method.statusCode, method.json().code, method.headers.allow]).toEqual([
      405,
      'method_not_allowed',
      'GET, POST',
    ]);
  });

  test.each([
    ['malformed JSON', 'application/json', '{"a":', 400, 'invalid_request'],
    ['another content type', 'text/xml', '<a/>', 415, 'unsupported_media_type'],
    ['over 256 KiB', 'application/json', `"${'x'.repeat(300_000)}"`, 413, 'payload_too_large'],
  ])('%s is refused', async (_, type, payload, status, code) => {
    const answer = await app.app.inject({
      method: 'POST',
      url: '/sessions',
      headers: { ...headers(), 'content-type': type },
      payload,
    });
    expect([answer.statusCode, answer.json().code]).toEqual([status, code]);
  });
});
