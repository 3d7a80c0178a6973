import { describe, expect } from 'vitest';
import { operations, type RestOperation } from '../../src/rest/operations.ts';
import { basicAuth } from '../setup/api.ts';
import type { TestApp } from '../setup/app.ts';
import { checkResponse } from '../setup/check-response.ts';
import { appTest } from '../setup/fixtures.ts';
import { minutesAfter, noon, seedApiKey, seedMerchant } from '../setup/seed.ts';

/** Calls every operation of the OpenAPI document as every kind of caller. */

const test = appTest.extend('callers', { scope: 'file' }, async ({ service }) => {
  const [merchant, otherMerchant, disabled] = await Promise.all(
    Array.from({ length: 3 }, () => seedMerchant(service)),
  );
  const unrestricted = await seedMerchant(service, { restricted: 'none' });
  await service.prisma.merchant.update({ where: { id: disabled!.merchant.id }, data: { disabledAt: noon } });
  const { sandbox } = merchant!.keys;
  const revoked = await seedApiKey(service, merchant!, { mode: 'sandbox' });
  await service.prisma.apiKey.update({ where: { id: revoked.id }, data: { revokedAt: noon } });
  const expired = await seedApiKey(service, merchant!, { mode: 'sandbox' });
  const expiresAt = minutesAfter(noon, -1);
  await service.prisma.apiKey.update({ where: { id: expired.id }, data: { expiresAt } });
  const withoutPermissions = await seedApiKey(service, merchant!, { mode: 'sandbox', permissions: [] });
  const callers: Record<string, string | undefined> = {
    'no credentials': undefined,
    'a wrong secret': basicAuth({ ...sandbox, apiSecret: 'cs_test_wrong' }),
    'the secret of another key': basicAuth({ ...sandbox, apiSecret: otherMerchant!.keys.sandbox.apiSecret }),
    'an unknown key': basicAuth({ ...sandbox, apiKey: 'ck_test_unknown' }),
    'a publishable key': basicAuth({ ...sandbox, apiKey: sandbox.publishableKey }),
    'a bearer token': 'Bearer ch_1.x',
    'a revoked key': basicAuth(revoked),
    'an expired key': basicAuth(expired),
    'a disabled merchant': basicAuth(disabled!.keys.sandbox),
    'a key without permissions': basicAuth(withoutPermissions),
    'a live key without restricted access': basicAuth(unrestricted.keys.live),
  };
  return callers;
});

const rejections: Record<string, [status: number, code: string]> = {
  'no credentials': [401, 'unauthenticated'],
  'a wrong secret': [401, 'unauthenticated'],
  'the secret of another key': [401, 'unauthenticated'],
  'an unknown key': [401, 'unauthenticated'],
  'a publishable key': [401, 'unauthenticated'],
  'a bearer token': [401, 'unauthenticated'],
  'a revoked key': [401, 'unauthenticated'],
  'an expired key': [401, 'unauthenticated'],
  'a disabled merchant': [403, 'account_disabled'],
  'a key without permissions': [403, 'permission_denied'],
};

async function call(app: TestApp, name: string, operation: RestOperation, authorization: string | undefined) {
  const [method = '', path = ''] = name.split(' ');
  const query = {
    'GET /forex': '?sourceCurrency=HKD&sourceAmount=1&destinationCurrency=HKD',
    'GET /translations': '?locale=en',
  };
  const url = path.replace('{id}', 'none') + (query[name as keyof typeof query] ?? '');
  const response = await app.app.inject({
    method: method as 'POST',
    url,
    headers: { ...(authorization !== undefined && { authorization }) },
    ...(operation.exampleRequest && { payload: operation.exampleRequest }),
  });
  const { statusCode: status, body } = response;
  checkResponse(app.app, {
    method,
    url,
    status,
    contentType: String(response.headers['content-type']),
    body,
  });
  const isProblem = String(response.headers['content-type']).includes('problem');
  return { status, code: isProblem ? response.json().code : undefined, headers: response.headers };
}

describe.each(Object.entries(operations))('%s', (name, operation) => {
  test.for(Object.entries(rejections))('rejects %s', async ([caller, expected], { app, callers }) => {
    const { status, code, headers } = await call(app, name, operation, callers[caller]);
    expect([status, code]).toEqual(expected);
    expect(headers['www-authenticate']).toBe(
      status === 401 ? 'Basic realm="Causeway", charset="UTF-8"' : undefined,
    );
  });

  test('requires restricted access if and only if the interface says so', async ({ app, callers }) => {
    const { code } = await call(app, name, operation, callers['a live key without restricted access']);
    expect(code === 'restricted_endpoint').toBe(operation.restricted === true);
  });
});
