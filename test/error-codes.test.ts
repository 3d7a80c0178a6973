import { readdirSync, readFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { closeCheckoutLink } from '../src/domain/checkout-link/close-checkout-link.ts';
import { openCheckoutLink } from '../src/domain/checkout-link/open-checkout-link.ts';
import { type ErrorCode, errorCatalogue } from '../src/kit/errors.ts';
import { withClient } from '../src/kit/with-client.ts';
import { callApi } from './setup/api.ts';
import { makeCheckoutLink } from './setup/checkout.ts';
import { type GraphqlApp, graphqlApp } from './setup/graphql.ts';

/** Every code of the catalogue is one that a caller can meet, and a test meets it: here, or where its subject is tested. */

let app: GraphqlApp;

beforeAll(async () => {
  app = await graphqlApp();
});

const codes = Object.keys(errorCatalogue) as ErrorCode[];
const folder = fileURLToPath(new URL('.', import.meta.url));
const texts = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => readFileSync(`${folder}/${name}`, 'utf8'));

test.each(codes)('%s is met by a test', (code) => {
  expect(texts.some((text) => new RegExp(`['": ,]${code}['"\`]`).test(text))).toBe(true);
});

describe('codes that stand nowhere else', () => {
  test.each([
    ['resendNotification', 'id: "nt_none"', 'notification_not_found'],
    ['dismissAlert', 'id: "alr_none"', 'alert_not_found'],
    ['payInvoice', 'id: "in_none", method: fps', 'invoice_not_found'],
  ])('%s(%s): %s', async (name, input, code) => {
    const { data, errors } = await app.ask(
      `mutation { ${name}(input: { ${input} }) { ... on Error { code } } }`,
    );
    expect([errors, data?.[name]]).toEqual([undefined, { code }]);
  });

  test('a closed link: link_closed', async () => {
    const { service } = app.context;
    const { id } = await makeCheckoutLink(service, app.merchant);
    const { id: merchantId } = app.merchant.merchant;
    await closeCheckoutLink(service, { merchantId, mode: 'live', id, now: new Date() });
    await expect(openCheckoutLink(service, { id })).rejects.toMatchObject({
      code: 'link_closed',
      status: 410,
    });
  });

  test('a key whose first request is still running after 5 s: idempotency_in_progress', async () => {
    const scope = `${app.merchant.merchant.id} sandbox busy`;
    const { status, json } = await withClient(app.connectionString, async (client) => {
      await client.query('BEGIN');
      await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [scope]);
      return callApi(app.app, {
        method: 'POST',
        url: '/sessions',
        keys: app.merchant.keys.sandbox,
        body: { amount: 5, currency: 'HKD' },
        headers: { 'idempotency-key': 'busy' },
      });
    });
    expect([status, json.code]).toEqual([409, 'idempotency_in_progress']);
  });

  test('a request that does not come to its end: request_timeout', async () => {
    const { port } = app.app.server.address() as AddressInfo;
    // Node looks for such requests every half minute; here it is told to.
    app.app.server.once('connection', (socket) => {
      const fault = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
      app.app.server.emit('clientError', fault, socket);
    });
    const socket = connect({ port, host: '127.0.0.1' });
    let answer = '';
    for await (const chunk of socket) answer += chunk;
    expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(answer).toContain('"code":"request_timeout"');
  });
});
