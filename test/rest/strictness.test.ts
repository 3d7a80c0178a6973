import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { createLogger } from '../../src/kit/log.ts';
import { basicAuth, callApi, callAsMerchant } from '../setup/api.ts';
import { setupApp, type TestApp } from '../setup/app.ts';
import { appTest, systemTimeAppTest } from '../setup/app-fixtures.ts';
import { seedCharge, seedMerchant } from '../setup/seed.ts';

const strictnessTest = appTest.extend('port', { scope: 'file' }, async ({ app: { app } }) => {
  await app.listen({ port: 0, host: '127.0.0.1' });
  return (app.server.address() as AddressInfo).port;
});

type Method = 'GET' | 'POST' | 'PATCH';

const inject = (
  app: TestApp,
  merchant: NewMerchant,
  method: Method | 'PUT',
  url: string,
  payload: string | Buffer,
  contentType: string,
) =>
  app.app.inject({
    method: method as 'POST',
    url,
    payload,
    headers: { authorization: basicAuth(merchant.keys.live), 'content-type': contentType },
  });

const charge = { email: 'ada@example.com', merchantAmount: 5, merchantCurrency: 'HKD', method: 'fps' };

/** Sends raw bytes and reads the whole response. */
async function sendRaw(port: number, text: string): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.write(text);
  let response = '';
  socket.on('data', (chunk) => {
    response += chunk;
  });
  await once(socket, 'close');
  return response;
}

/** Parses the problem+json of a raw response, after checking the request ID in its header. */
function parseProblem(response: string) {
  const [head = '', body = ''] = response.split('\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1\.1 [45]\d\d /);
  expect(head.toLowerCase()).toContain('content-type: application/problem+json');
  const json = body.slice(body.indexOf('{'), body.lastIndexOf('}') + 1);
  const problem = JSON.parse(json);
  expect(head.toLowerCase()).toContain(`x-request-id: ${problem.requestId.toLowerCase()}`);
  return problem;
}

describe('Strictness', () => {
  describe('Unknown member', () => {
    strictnessTest.for<[Method, string, unknown, string]>([
      ['GET', '/methods?x=1', undefined, '/x is unknown'],
      ['GET', '/currencies?locale=en', undefined, '/locale is unknown'],
      ['GET', '/charges?stauts=pending', undefined, '/stauts is unknown; did you mean status?'],
      ['GET', '/charges/ch_x?status=pending', undefined, '/status is unknown'],
      ['GET', '/refunds?chargeID=ch_x', undefined, '/chargeID is unknown; did you mean chargeId?'],
      ['GET', '/sessions/ses_x?x=1', undefined, '/x is unknown'],
      ['POST', '/charges?x=1', charge, '/x is unknown'],
      ['POST', '/charges', { ...charge, notifyURL: 'x' }, '/notifyURL is unknown; did you mean notifyUrl?'],
      ['POST', '/sessions', { amount: 1, curency: 'USD' }, 'did you mean currency?'],
      ['PATCH', '/charges/ch_x/cancel', { reason: 'x' }, '/reason is unknown'],
      ['PATCH', '/charges/ch_x/cancel', ['x'], 'this operation does not accept a body'],
      ['POST', '/charges/ch_x/complete', { amount: 1 }, '/amount is unknown'],
      ['PATCH', '/charges/ch_x/cancel?x=1', undefined, '/x is unknown'],
    ] as const)('in %s %s %o returns 400', async ([method, url, body, message], { app, merchant }) => {
      const { status, json } = await callAsMerchant(app, merchant, method, url, body);
      expect([status, json.code]).toEqual([400, 'invalid_request']);
      const messages = [
        json.detail,
        ...(json.errors ?? []).map(
          (error: { path: string; message: string }) => `${error.path} ${error.message}`,
        ),
      ];
      expect(messages.join('; ')).toContain(message);
    });

    strictnessTest('returns the first fifty of ten thousand errors', async ({ app, merchant }) => {
      const orders = Array.from({ length: 10_000 }, () => ({ quantity: 'x' }));
      const { status, json } = await callAsMerchant(app, merchant, 'POST', '/charges', { ...charge, orders });
      expect(status).toBe(400);
      expect(json.errors).toHaveLength(50);
      expect(json.errors[0].path).toMatch(/^\/orders/);
    });

    strictnessTest('is ignored by routes without a body if the body is empty', async ({ app, merchant }) => {
      expect((await callAsMerchant(app, merchant, 'PATCH', '/charges/ch_x/cancel', {})).json.code).toBe(
        'charge_not_found',
      );
    });

    strictnessTest(
      'inside of customer, phone and orders is ignored and named in a header',
      async ({ app, merchant }) => {
        const { status, headers } = await callAsMerchant(app, merchant, 'POST', '/sessions', {
          amount: 5,
          currency: 'HKD',
          orders: [{ id: 'a' }, { id: 'b', sku: 'B-1', 'näme\r\nx': 1 }],
          customer: {
            email: 'a@example.com',
            title: 'Dr',
            phone: { code: '+852', phone: '51234567', ext: '1' },
          },
        });
        expect(status).toBe(201);
        expect(headers['ignored-fields']).toBe(
          '/orders/1/sku, /orders/1/n%C3%A4me%0D%0Ax, /customer/title, /customer/phone/ext',
        );
        expect(
          (await callAsMerchant(app, merchant, 'POST', '/sessions', { amount: 5, currency: 'HKD' })).headers[
            'ignored-fields'
          ],
        ).toBeUndefined();
      },
    );

    strictnessTest('is listed in a header of limited size', async ({ app, merchant }) => {
      const customer = Object.fromEntries(
        Array.from({ length: 1_000 }, (_, i) => [`${'x'.repeat(100)}${i}`, i]),
      );
      const { headers } = await callAsMerchant(app, merchant, 'POST', '/sessions', {
        amount: 5,
        currency: 'HKD',
        customer,
      });
      expect(String(headers['ignored-fields']).length).toBeLessThan(2_000);
    });

    strictnessTest(
      'is named in the header even if its name is cut inside of a character',
      async ({ app, merchant }) => {
        const customer = { [`${'x'.repeat(59)}𠮷`]: 1 };
        const { status, headers } = await callAsMerchant(app, merchant, 'POST', '/sessions', {
          amount: 5,
          currency: 'HKD',
          customer,
        });
        expect(status).toBe(201);
        expect(headers['ignored-fields']).toBe(`/customer/${'x'.repeat(59)}%EF%BF%BD`);
      },
    );
  });

  describe('Request body', () => {
    strictnessTest.for<[string, string | Buffer, string, number, string]>([
      ['text', 'hello', 'text/plain', 415, 'unsupported_media_type'],
      ['a form', 'a=1', 'application/x-www-form-urlencoded', 415, 'unsupported_media_type'],
      ['XML', '<a/>', 'application/xml', 415, 'unsupported_media_type'],
      ['another JSON', '{}', 'application/vnd.api+json', 415, 'unsupported_media_type'],
      ['another charset', '{}', 'application/json; charset=utf-16', 415, 'unsupported_media_type'],
      [
        'no UTF-8',
        Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
        'application/json',
        400,
        'invalid_request',
      ],
      ['half JSON', '{"email":', 'application/json', 400, 'invalid_request'],
      ['nothing', '', 'application/json', 400, 'invalid_request'],
      ['a prototype', '{"__proto__":{"x":1}}', 'application/json', 400, 'invalid_request'],
      ['a list', '[]', 'application/json', 400, 'invalid_request'],
      ['a number', '12', 'application/json; charset="UTF-8"', 400, 'invalid_request'],
      [
        'U+0000',
        JSON.stringify({ ...charge, notifyPayload: '\0' }),
        'application/json',
        400,
        'invalid_request',
      ],
      ['more than 256 KiB', `"${'x'.repeat(256 * 1024)}"`, 'application/json', 413, 'payload_too_large'],
    ] as const)(
      'is rejected if it is %s',
      async ([_, payload, contentType, status, code], { app, merchant }) => {
        const response = await inject(app, merchant, 'POST', '/charges', payload, contentType);
        expect([response.statusCode, response.json().code]).toEqual([status, code]);
        expect(response.headers['content-type']).toMatch(/^application\/problem\+json/);
        expect(response.headers['x-request-id']).toBe(response.json().requestId);
      },
    );

    strictnessTest('is read up to exactly 256 KiB', async ({ app, merchant }) => {
      const padding = 256 * 1024 - JSON.stringify({ ...charge, notifyPayload: '' }).length;
      const { json } = await callAsMerchant(app, merchant, 'POST', '/charges', {
        ...charge,
        notifyPayload: 'x'.repeat(padding),
      });
      expect(json.errors[0].path).toBe('/notifyPayload');
    });

    strictnessTest.for([
      [4_096, 201],
      [4_097, 400],
    ] as const)(
      'with a notifyPayload of %i characters returns %i',
      async ([length, status], { app, merchant }) => {
        const body = { amount: 5, currency: 'HKD', notifyPayload: 'é'.repeat(length) };
        expect((await callAsMerchant(app, merchant, 'POST', '/sessions', body)).status).toBe(status);
      },
    );

    strictnessTest.for([
      [100, 201],
      [101, 400],
    ] as const)('with %i orders returns %i', async ([length, status], { app, merchant }) => {
      const orders = Array.from({ length }, (_, i) => ({ id: String(i) }));
      expect(
        (await callAsMerchant(app, merchant, 'POST', '/sessions', { amount: 5, currency: 'HKD', orders }))
          .status,
      ).toBe(status);
    });
  });

  /** Some tests use sockets, because `app.inject` normalizes requests. */
  describe.each(['cancel', 'complete'] as const)('/charges/{id}/%s, which has no request body,', (act) => {
    const method = act === 'cancel' ? 'PATCH' : 'POST';
    const send = async (app: TestApp, merchant: NewMerchant, port: number, headers: string, body = '') => {
      const { id } = await seedCharge(app.context.service, merchant, { mode: 'sandbox' });
      const response = await sendRaw(
        port,
        `${method} /charges/${id}/${act} HTTP/1.1\r\nHost: x\r\nAuthorization: ${basicAuth(merchant.keys.sandbox)}\r\n` +
          `${headers}Connection: close\r\n\r\n${body}`,
      );
      return Number(response.split(' ')[1]);
    };

    strictnessTest.for([
      ['no type', ''],
      ['JSON', 'Content-Type: application/json\r\n'],
      ['JSON, and a length of 0', 'Content-Type: application/json\r\nContent-Length: 0\r\n'],
      ['a form', 'Content-Type: application/x-www-form-urlencoded\r\n'],
      [
        'a form, and a length of 0',
        'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 0\r\n',
      ],
    ] as const)(
      'accepts an empty body with any content type: %s',
      async ([_, headers], { app, merchant, port }) => {
        expect(await send(app, merchant, port, headers)).toBe(200);
      },
    );

    strictnessTest('accepts a chunked body without chunks', async ({ app, merchant, port }) => {
      const headers = 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n';
      expect(await send(app, merchant, port, headers, '0\r\n\r\n')).toBe(200);
    });

    strictnessTest.for([
      ['application/json', '{"a":1}', 400],
      ['application/json', ' ', 400],
      ['application/x-www-form-urlencoded', 'a=1', 415],
    ] as const)('rejects a body: %s %s', async ([type, body, status], { app, merchant, port }) => {
      expect(
        await send(app, merchant, port, `Content-Type: ${type}\r\nContent-Length: ${body.length}\r\n`, body),
      ).toBe(status);
    });
  });

  describe('Route', () => {
    strictnessTest.for([
      ['GET', '/charge', 404, 'route_not_found', undefined],
      ['POST', '/', 404, 'route_not_found', undefined],
      ['PUT', '/charges', 405, 'method_not_allowed', 'GET, POST'],
      ['PATCH', '/charges/ch_x', 405, 'method_not_allowed', 'GET'],
      ['GET', '/charges/ch_x/cancel', 405, 'method_not_allowed', 'PATCH'],
      ['DELETE', '/refunds/re_x', 405, 'method_not_allowed', 'GET'],
      ['QUERY', '/charges', 405, 'method_not_allowed', 'GET, POST'],
      ['GET', '/charges/hash/x', 404, 'route_not_found', undefined],
      ['PUT', '/charges/hash', 405, 'method_not_allowed', 'POST'],
      ['POST', '/nowhere', 404, 'route_not_found', undefined],
      ['PROPFIND', '/charges', 405, 'method_not_allowed', 'GET, POST'],
      ['GET', '/charges/%', 400, 'invalid_request', undefined],
      ['GET', '/charges/%00', 400, 'invalid_request', undefined],
    ] as const)('%s %s returns %i %s', async ([method, url, status, code, allow], { merchant, port }) => {
      const response = await sendRaw(
        port,
        `${method} ${url} HTTP/1.1\r\nHost: x\r\nAuthorization: ${basicAuth(merchant.keys.live)}\r\nContent-Type: text/plain\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi`,
      );
      expect(parseProblem(response)).toMatchObject({ status, code });
      expect(/^allow: (.*)$/im.exec(response)?.[1]?.trim()).toBe(allow);
    });
  });

  describe('Malformed HTTP request', () => {
    const get = 'GET /charges HTTP/1.1\r\nHost: x\r\n';

    strictnessTest.for([
      ['no request line', 'hello\r\n\r\n', 400, 'invalid_request'],
      ['a broken header', `${get}no colon\r\n\r\n`, 400, 'invalid_request'],
      ['two lengths', `${get}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`, 400, 'invalid_request'],
      ['an unknown coding', `${get}Transfer-Encoding: gzip\r\n\r\n`, 400, 'invalid_request'],
      [
        'a length and a coding',
        `${get}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`,
        400,
        'invalid_request',
      ],
      ['too large headers', `${get}X: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'headers_too_large'],
      ['an expectation', `${get}Expect: tea\r\n\r\n`, 400, 'invalid_request'],
    ] as const)('is rejected: %s', async ([_, text, status, code], { port }) => {
      expect(parseProblem(await sendRaw(port, text))).toMatchObject({ status, code });
    });
  });
});

describe('Text that cannot be stored', () => {
  const test = systemTimeAppTest;

  const chargeInput = {
    email: 'ada@example.com',
    merchantAmount: 10,
    merchantCurrency: 'HKD',
    method: 'fps',
  };

  test.for([
    ['GET', '/charges/%00', undefined],
    ['GET', '/sessions/%00/charge', undefined],
    ['PATCH', '/charges/ch_%00/cancel', undefined],
    ['GET', '/charges?customerEmail=%00', undefined],
    ['GET', '/charges?startDate=0000-01-01T00:00:00', undefined],
    ['POST', '/charges', { ...chargeInput, email: 'a\0@b.com' }],
    ['POST', '/charges', { ...chargeInput, email: '\ud800@b.com' }],
    ['POST', '/sessions', { amount: 1, currency: 'HKD', customer: { email: 'a\ud800@b.com' } }],
    ['POST', '/checkout-link', { amount: 1, currency: 'HKD', apiKey: '\0' }],
    ['POST', '/charges', { ...chargeInput, 'a/b~c': '\0' }, '/a~1b~0c'],
  ] as const)('returns 400 for %s %s', async ([method, url, body, path], { app, merchant }) => {
    const { status, json } = await callAsMerchant(app, merchant, method, url, body);
    expect([status, json.code]).toEqual([400, 'invalid_request']);
    if (path !== undefined) expect(json.errors).toMatchObject([{ path }]);
  });

  test.for(['/charges/%ff', '/charges/%', '/%zz'])(
    'returns a problem for the URL %s, which cannot be decoded',
    async (url, { app, merchant }) => {
      const response = await app.app.inject({
        url,
        headers: { authorization: basicAuth(merchant.keys.live) },
      });
      expect([response.statusCode, response.json().code]).toEqual([400, 'invalid_request']);
    },
  );
});

describe('Internal error', () => {
  test('An unexpected error is logged, and returned as internal_error without its message', async () => {
    let logged = '';
    const write = (line: string) => {
      logged += line;
    };
    const { app, context } = await setupApp(onTestFinished, { log: createLogger('error', { write }) });
    const { keys } = await seedMerchant(context.service);
    const error = new Error('password of the database is hunter2');
    vi.spyOn(context.service.prisma.subscriptionPlan, 'findFirst').mockRejectedValueOnce(error);
    const { status, text, json } = await callApi(app, {
      method: 'GET',
      url: '/subscription-plans/pl_1',
      keys: keys.live,
    });
    expect(status).toBe(500);
    expect(json).toEqual({
      type: 'urn:causeway:error:internal_error',
      title: 'The service failed to process the request',
      status: 500,
      detail: 'The service failed to process the request',
      code: 'internal_error',
      requestId: expect.stringMatching(/^req_/),
    });
    expect(text).not.toContain('hunter2');
    expect(JSON.parse(logged)).toMatchObject({ reqId: json.requestId, err: { message: error.message } });
  });
});
