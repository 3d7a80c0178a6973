import { beforeAll, describe, expect, test } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { basic, callApi } from '../setup/api.ts';
import { type TestApp, testApp } from '../setup/app.ts';
import { makeMerchant } from '../setup/makers.ts';

let app: TestApp;
let merchant: NewMerchant;

beforeAll(async () => {
  app = await testApp();
  merchant = await makeMerchant(app.context.service);
});

const get = (url: string, headers?: Record<string, string>) =>
  callApi(app.app, { method: 'GET', url, keys: merchant.keys.live, ...(headers && { headers }) });

describe('the version of the API', () => {
  test.each([
    ['an answer', 'GET', '/currencies', 200],
    ['a refusal', 'GET', '/charges?page=0', 400],
    ['an object that is not there', 'GET', '/refunds/re_none', 404],
    ['another method', 'PUT', '/charges', 405],
    ['no route', 'GET', '/charge', 404],
    ['GraphQL', 'POST', '/graphql', 200],
  ] as const)('is told with %s', async (_, method, url, status) => {
    const answer = await app.app.inject({
      method,
      url,
      headers: { authorization: basic(merchant.keys.live) },
      ...(url === '/graphql' && { payload: { query: '{ me { id } }' } }),
    });
    expect([answer.statusCode, answer.headers['causeway-version']]).toEqual([status, '2026-11']);
  });

  test('may be asked for; one that there is not is refused', async () => {
    expect((await get('/currencies', { 'causeway-version': '2026-11' })).status).toBe(200);
    const { status, json } = await get('/currencies', { 'causeway-version': '2025-01' });
    expect([status, json.code, json.errors[0].path]).toEqual([
      400,
      'invalid_request',
      '/headers/Causeway-Version',
    ]);
  });

  test('is that of the document, which is OpenAPI 3.1', async () => {
    const { openapi, info } = (await app.app.inject('/openapi.json')).json();
    expect([openapi, info.version]).toEqual(['3.1.0', '2026-11']);
  });
});
