import { describe, expect } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { basicAuth, callApi } from '../setup/api.ts';
import type { TestApp } from '../setup/app.ts';
import { systemTimeAppTest as test } from '../setup/fixtures.ts';

const get = (app: TestApp, merchant: NewMerchant, url: string, headers?: Record<string, string>) =>
  callApi(app.app, { method: 'GET', url, keys: merchant.keys.live, ...(headers && { headers }) });

describe('API version', () => {
  test.for([
    ['an answer', 'GET', '/currencies', 200],
    ['a refusal', 'GET', '/charges?page=0', 400],
    ['an object that is not there', 'GET', '/refunds/re_none', 404],
    ['another method', 'PUT', '/charges', 405],
    ['no route', 'GET', '/charge', 404],
    ['GraphQL', 'POST', '/graphql', 200],
  ] as const)('is returned with %s', async ([_, method, url, status], { app, merchant }) => {
    const response = await app.app.inject({
      method,
      url,
      headers: { authorization: basicAuth(merchant.keys.live) },
      ...(url === '/graphql' && { payload: { query: '{ me { id } }' } }),
    });
    expect([response.statusCode, response.headers['causeway-version']]).toEqual([status, '2026-11']);
  });

  test('can be requested, and an unknown one is rejected', async ({ app, merchant }) => {
    expect((await get(app, merchant, '/currencies', { 'causeway-version': '2026-11' })).status).toBe(200);
    const { status, json } = await get(app, merchant, '/currencies', { 'causeway-version': '2025-01' });
    expect([status, json.code, json.errors[0].path]).toEqual([
      400,
      'invalid_request',
      '/headers/Causeway-Version',
    ]);
  });

  test('is that of the OpenAPI 3.1 document', async ({ app }) => {
    const { openapi, info } = (await app.app.inject('/openapi.json')).json();
    expect([openapi, info.version]).toEqual(['3.1.0', '2026-11']);
  });
});
