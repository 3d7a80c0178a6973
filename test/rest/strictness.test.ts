import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { beforeAll, describe, expect, test } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { basic, callApi } from '../setup/api.ts';
import { type TestApp, testApp } from '../setup/app.ts';
import { testClock } from '../setup/clock.ts';
import { makeCharge, makeMerchant, noon } from '../setup/makers.ts';

let app: TestApp;
let merchant: NewMerchant;
let port: number;

beforeAll(async () => {
  app = await testApp({ clock: testClock(noon) });
  merchant = await makeMerchant(app.context.service);
  await app.app.listen({ port: 0, host: '127.0.0.1' });
  port = (app.app.server.address() as AddressInfo).port;
});

type Method = 'GET' | 'POST' | 'PATCH';
const call = (method: Method, url: string, body?: unknown) =>
  callApi(app.app, { method, url, keys: merchant.keys.live, body });

const inject = (method: Method | 'PUT', url: string, payload: string | Buffer, contentType: string) =>
  app.app.inject({
    method: method as 'POST',
    url,
    payload,
    headers: { authorization: basic(merchant.keys.live), 'content-type': contentType },
  });

const charge = { email: 'ada@example.com', merchantAmount: 5, merchantCurrency: 'HKD', method: 'fps' };

describe('what is unknown', () => {
  test.each<[Method, string, unknown, string]>([
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
  ])('%s %s %o: 400', async (method, url, body, message) => {
    const { status, json } = await call(method, url, body);
    expect([status, json.code]).toEqual([400, 'invalid_request']);
    const told = [
      json.detail,
      ...(json.errors ?? []).map(
        (fault: { path: string; message: string }) => `${fault.path} ${fault.message}`,
      ),
    ];
    expect(told.join('; ')).toContain(message);
  });

  test('of ten thousand faults the first fifty are told', async () => {
    const orders = Array.from({ length: 10_000 }, () => ({ quantity: 'x' }));
    const { status, json } = await call('POST', '/charges', { ...charge, orders });
    expect(status).toBe(400);
    expect(json.errors).toHaveLength(50);
    expect(json.errors[0].path).toMatch(/^\/orders/);
  });

  test('an empty body where there is none is taken', async () => {
    expect((await call('PATCH', '/charges/ch_x/cancel', {})).json.code).toBe('charge_not_found');
  });

  test('inside customer, phone and orders is ignored, and named in a header', async () => {
    const { status, headers } = await call('POST', '/sessions', {
      amount: 5,
      currency: 'HKD',
      orders: [{ id: 'a' }, { id: 'b', sku: 'B-1', 'näme\r\nx': 1 }],
      customer: { email: 'a@example.com', title: 'Dr', phone: { code: '+852', phone: '51234567', ext: '1' } },
    });
    expect(status).toBe(201);
    expect(headers['ignored-fields']).toBe(
      '/orders/1/sku, /orders/1/n%C3%A4me%0D%0Ax, /customer/title, /customer/phone/ext',
    );
    expect(
      (await call('POST', '/sessions', { amount: 5, currency: 'HKD' })).headers['ignored-fields'],
    ).toBeUndefined();
  });

  test('a thousand ignored members do not make a huge header', async () => {
    const customer = Object.fromEntries(
      Array.from({ length: 1_000 }, (_, i) => [`${'x'.repeat(100)}${i}`, i]),
    );
    const { headers } = await call('POST', '/sessions', { amount: 5, currency: 'HKD', customer });
    expect(String(headers['ignored-fields']).length).toBeLessThan(2_000);
  });

  test('an ignored member whose name is cut inside a character is named all the same', async () => {
    const customer = { [`${'x'.repeat(59)}𠮷`]: 1 };
    const { status, headers } = await call('POST', '/sessions', { amount: 5, currency: 'HKD', customer });
    expect(status).toBe(201);
    expect(headers['ignored-fields']).toBe(`/customer/${'x'.repeat(59)}%EF%BF%BD`);
  });
});

describe('what is no JSON in UTF-8', () => {
  test.each<[string, string | Buffer, string, number, string]>([
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
  ])('%s', async (_, payload, contentType, status, code) => {
    const answer = await inject('POST', '/charges', payload, contentType);
    expect([answer.statusCode, answer.json().code]).toEqual([status, code]);
    expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(answer.headers['x-request-id']).toBe(answer.json().requestId);
  });

  test('a member of exactly 256 KiB of body is read', async () => {
    const padding = 256 * 1024 - JSON.stringify({ ...charge, notifyPayload: '' }).length;
    const { json } = await call('POST', '/charges', { ...charge, notifyPayload: 'x'.repeat(padding) });
    expect(json.errors[0].path).toBe('/notifyPayload');
  });

  test.each([
    [4_096, 201],
    [4_097, 400],
  ])('a notifyPayload of %i characters: %i', async (length, status) => {
    const body = { amount: 5, currency: 'HKD', notifyPayload: 'é'.repeat(length) };
    expect((await call('POST', '/sessions', body)).status).toBe(status);
  });

  test.each([
    [100, 201],
    [101, 400],
  ])('%i orders: %i', async (length, status) => {
    const orders = Array.from({ length }, (_, i) => ({ id: String(i) }));
    expect((await call('POST', '/sessions', { amount: 5, currency: 'HKD', orders })).status).toBe(status);
  });
});

/** Over a socket: `app.inject` mends what clients send. */
describe.each(['cancel', 'complete'] as const)('%s of a charge, which takes no body', (act) => {
  const method = act === 'cancel' ? 'PATCH' : 'POST';
  const ask = async (headers: string, body = '') => {
    const { id } = await makeCharge(app.context.service, merchant, { mode: 'sandbox' });
    const answer = await raw(
      `${method} /charges/${id}/${act} HTTP/1.1\r\nHost: x\r\nAuthorization: ${basic(merchant.keys.sandbox)}\r\n` +
        `${headers}Connection: close\r\n\r\n${body}`,
    );
    return Number(answer.split(' ')[1]);
  };

  test.each([
    ['no type', ''],
    ['JSON', 'Content-Type: application/json\r\n'],
    ['JSON, and a length of 0', 'Content-Type: application/json\r\nContent-Length: 0\r\n'],
    ['a form', 'Content-Type: application/x-www-form-urlencoded\r\n'],
    ['a form, and a length of 0', 'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 0\r\n'],
  ])('is done with none, whatever type is told: %s', async (_, headers) => {
    expect(await ask(headers)).toBe(200);
  });

  test('is done with a body in chunks of which there are none', async () => {
    const headers = 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n';
    expect(await ask(headers, '0\r\n\r\n')).toBe(200);
  });

  test.each([
    ['application/json', '{"a":1}', 400],
    ['application/json', ' ', 400],
    ['application/x-www-form-urlencoded', 'a=1', 415],
  ])('is refused with what there is: %s %s', async (type, body, status) => {
    expect(await ask(`Content-Type: ${type}\r\nContent-Length: ${body.length}\r\n`, body)).toBe(status);
  });
});

describe('routes and methods', () => {
  test.each([
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
  ])('%s %s: %i %s', async (method, url, status, code, allow) => {
    const answer = await raw(
      `${method} ${url} HTTP/1.1\r\nHost: x\r\nAuthorization: ${basic(merchant.keys.live)}\r\nContent-Type: text/plain\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi`,
    );
    expect(problemOf(answer)).toMatchObject({ status, code });
    expect(/^allow: (.*)$/im.exec(answer)?.[1]?.trim()).toBe(allow);
  });
});

/** Sends bytes as they are, and reads the answer to its end. */
async function raw(text: string): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.write(text);
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  await once(socket, 'close');
  return answer;
}

/** The problem+json of a raw answer, whose request id stands in its header too. */
function problemOf(answer: string) {
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1\.1 [45]\d\d /);
  expect(head.toLowerCase()).toContain('content-type: application/problem+json');
  const json = body.slice(body.indexOf('{'), body.lastIndexOf('}') + 1);
  const problem = JSON.parse(json);
  expect(head.toLowerCase()).toContain(`x-request-id: ${problem.requestId.toLowerCase()}`);
  return problem;
}

describe('what is no request at all', () => {
  const get = 'GET /charges HTTP/1.1\r\nHost: x\r\n';

  test.each([
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
  ])('%s', async (_, text, status, code) => {
    expect(problemOf(await raw(text))).toMatchObject({ status, code });
  });
});
