import { beforeAll, describe, expect, test } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { operations, type RestOperation } from '../../src/rest/operations.ts';
import { basic } from '../setup/api.ts';
import { type TestApp, testApp } from '../setup/app.ts';
import { checkAnswer } from '../setup/check-answer.ts';
import { testClock } from '../setup/clock.ts';
import { makeKey, makeMerchant, minutesAfter, noon } from '../setup/makers.ts';

/** Every operation asked by every kind of caller. The operations are those of the document, so a new one needs a row. */

let app: TestApp;
let merchant: NewMerchant;
let callers: Record<string, string | undefined>;

beforeAll(async () => {
  app = await testApp({ clock: testClock(noon) });
  const { service } = app.context;
  merchant = await makeMerchant(service);
  const stranger = await makeMerchant(service);
  const unrestricted = await makeMerchant(service, { restricted: 'none' });
  const disabled = await makeMerchant(service);
  await service.prisma.merchant.update({ where: { id: disabled.merchant.id }, data: { disabledAt: noon } });
  const { sandbox } = merchant.keys;
  const [revoked, expired] = [
    await makeKey(service, merchant, { mode: 'sandbox' }),
    await makeKey(service, merchant, { mode: 'sandbox' }),
  ];
  await service.prisma.apiKey.update({ where: { id: revoked.id }, data: { revokedAt: noon } });
  const expiresAt = minutesAfter(noon, -1);
  await service.prisma.apiKey.update({ where: { id: expired.id }, data: { expiresAt } });
  callers = {
    nobody: undefined,
    'a wrong secret': basic({ ...sandbox, apiSecret: 'cs_test_wrong' }),
    'the secret of another key': basic({ ...sandbox, apiSecret: stranger.keys.sandbox.apiSecret }),
    'an unknown key': basic({ ...sandbox, apiKey: 'ck_test_unknown' }),
    'a publishable key': basic({ ...sandbox, apiKey: sandbox.publishableKey }),
    'a bearer': 'Bearer ch_1.x',
    'a revoked key': basic(revoked),
    'an expired key': basic(expired),
    'a disabled merchant': basic(disabled.keys.sandbox),
    'a key that may nothing': basic(await makeKey(service, merchant, { mode: 'sandbox', permissions: [] })),
    'a live key without restricted access': basic(unrestricted.keys.live),
  };
});

const refused: Record<string, [status: number, code: string]> = {
  nobody: [401, 'unauthenticated'],
  'a wrong secret': [401, 'unauthenticated'],
  'the secret of another key': [401, 'unauthenticated'],
  'an unknown key': [401, 'unauthenticated'],
  'a publishable key': [401, 'unauthenticated'],
  'a bearer': [401, 'unauthenticated'],
  'a revoked key': [401, 'unauthenticated'],
  'an expired key': [401, 'unauthenticated'],
  'a disabled merchant': [403, 'account_disabled'],
  'a key that may nothing': [403, 'permission_denied'],
};

async function ask(name: string, operation: RestOperation, authorization: string | undefined) {
  const [method = '', path = ''] = name.split(' ');
  const query = {
    'GET /forex': '?sourceCurrency=HKD&sourceAmount=1&destinationCurrency=HKD',
    'GET /translations': '?locale=en',
  };
  const url = path.replace('{id}', 'none') + (query[name as keyof typeof query] ?? '');
  const answer = await app.app.inject({
    method: method as 'POST',
    url,
    headers: { ...(authorization !== undefined && { authorization }) },
    ...(operation.exampleRequest && { payload: operation.exampleRequest }),
  });
  const { statusCode: status, body } = answer;
  checkAnswer(app.app, { method, url, status, contentType: String(answer.headers['content-type']), body });
  const isProblem = String(answer.headers['content-type']).includes('problem');
  return { status, code: isProblem ? answer.json().code : undefined, headers: answer.headers };
}

describe.each(Object.entries(operations))('%s', (name, operation) => {
  test.each(Object.entries(refused))('%s is refused', async (caller, expected) => {
    const { status, code, headers } = await ask(name, operation, callers[caller]);
    expect([status, code]).toEqual(expected);
    expect(headers['www-authenticate']).toBe(
      status === 401 ? 'Basic realm="Causeway", charset="UTF-8"' : undefined,
    );
  });

  test('is restricted exactly where the interface says so', async () => {
    const { code } = await ask(name, operation, callers['a live key without restricted access']);
    expect(code === 'restricted_endpoint').toBe(operation.restricted === true);
  });
});
