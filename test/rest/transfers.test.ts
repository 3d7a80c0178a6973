import { createHash } from 'node:crypto';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { describe, expect } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { importStatement } from '../../src/domain/money-in/statement/import/import-statement.ts';
import { basicAuth, callApi } from '../setup/api.ts';
import type { TestApp } from '../setup/app.ts';
import { graphqlTest, systemTimeAppTest } from '../setup/app-fixtures.ts';
import { getDestination } from '../setup/checkout.ts';
import type { GraphqlApp } from '../setup/graphql.ts';
import { seedCharge } from '../setup/seed.ts';
import { signInAs } from '../setup/sign-in.ts';
import { camtXml, ntry } from '../setup/statement-files.ts';
import type { Visitor } from '../setup/visitor.ts';

describe('POST /transfers', () => {
  const test = systemTimeAppTest;

  const record = (app: TestApp, merchant: NewMerchant, transfers: unknown[]) =>
    callApi(app.app, { method: 'POST', url: '/transfers', keys: merchant.keys.live, body: { transfers } });

  /** Seeds a charge and returns the item that pays it. */
  async function seedPaidItem(app: TestApp, merchant: NewMerchant, id: string) {
    const input = { email: `${id}@example.com` };
    const charge = await seedCharge(app.context.service, merchant, { input, now: new Date() });
    const { account, nonce: reference } = getDestination(charge);
    const paidAt = new Date().toISOString();
    return {
      charge,
      item: { id, method: 'fps', account, amount: 128.5, currency: 'HKD', reference, paidAt },
    };
  }

  test('completes the charge whose payment reference a transfer carries', async ({ app, merchant }) => {
    const { charge, item } = await seedPaidItem(app, merchant, 'bank-1');
    const { status, json } = await record(app, merchant, [item, { ...item, id: 'bank-2', paidAt: 'x' }]);
    expect(status).toBe(200);
    expect(json.transfers).toMatchObject([
      { id: 'bank-1', status: 'matched', chargeId: charge.id },
      { id: 'bank-2', status: 'exception', reason: 'invalid' },
    ]);
    const url = `/charges/${charge.id}`;
    const { json: completed } = await callApi(app.app, { method: 'GET', url, keys: merchant.keys.live });
    expect(completed.status).toBe('completed');
  });

  test('treats an optional member that is null as missing', async ({ app, merchant }) => {
    const { charge, item } = await seedPaidItem(app, merchant, 'bank-3');
    const nulls = { payerName: null, direction: null, receivingAccountId: null };
    const { json } = await record(app, merchant, [{ ...item, ...nulls }]);
    expect(json.transfers).toMatchObject([{ id: 'bank-3', status: 'matched', chargeId: charge.id }]);
  });

  test('accepts 1 to 500 items', async ({ app, merchant }) => {
    const many = (count: number) =>
      record(
        app,
        merchant,
        Array.from({ length: count }, () => ({})),
      );
    expect((await many(0)).status).toBe(400);
    expect((await many(501)).status).toBe(400);
    const { status, json } = await many(500);
    expect([status, json.transfers.length]).toEqual([200, 500]);
  });

  const changes = [
    [{ amount: null }, '/amount is required'],
    [{ amount: '5' }, '/amount must be a number'],
    [{ amount: undefined }, '/amount is required'],
    [{ amount: 1e15 }, '/amount must be less than 10^12'],
    [{ reference: null }, '/reference is required'],
    [{ reference: 5 }, '/reference must be a string'],
    [{ currency: 'HK dollars' }, 'Unsupported currency: HK dollars'],
    [{ direction: 'in' }, '/direction must be one of credit, debit'],
    [
      { receivingAccountId: 'acc_none' },
      '/receivingAccountId must be the ID of one of your receiving accounts',
    ],
    [{ method: undefined }, '/receivingAccountId is required, unless both method and account are given'],
    [{ account: '1' }, '/account must be the account of one of your receiving accounts for fps'],
    [{ paidAt: 5 }, '/paidAt must be a string'],
    [{ paidAt: '1999-12-31' }, '/paidAt must not be before 2000-01-01'],
    [{ paidAt: '2026-02-30' }, '/paidAt must be an ISO 8601 date or time, such as 2026-11-20T08:30:00Z'],
    [{ surplus: true }, '/surplus is unknown'],
    [{ id: '' }, '/id must not be empty'],
  ] as const;

  test.for(changes.map(([change, detail], index) => [change, detail, index] as const))(
    'returns an exception for an invalid item, such as one with %o, and records the others',
    async ([change, detail, index], { app, merchant }) => {
      const { charge, item } = await seedPaidItem(app, merchant, `beside-${index}`);
      const { status, json } = await record(app, merchant, [{ ...item, id: 'bad', ...change }, null, item]);
      expect(status).toBe(200);
      expect(json.transfers).toMatchObject([
        { status: 'exception', reason: 'invalid', detail },
        { status: 'exception', reason: 'invalid', detail: 'The item must be an object' },
        { id: item.id, status: 'matched', chargeId: charge.id },
      ]);
    },
  );
});

describe('File', () => {
  const httpRequest = request;

  const test = graphqlTest;

  const put = (app: GraphqlApp, path: string, body: BodyInit | null, headers: Record<string, string> = {}) =>
    fetch(`${app.url}${path}`, {
      method: 'PUT',
      body,
      headers: { authorization: basicAuth(app.merchant.keys.live), ...headers },
    });

  const uploads = (app: GraphqlApp) => app.context.service.prisma.upload.count();

  describe('PUT /uploads', () => {
    test('stores the file regardless of its content type, and returns its id, size and hash', async ({
      app,
    }) => {
      const bytes = Buffer.from(Array.from({ length: 700_000 }, (_, index) => index % 251));
      for (const type of ['application/octet-stream', 'text/csv', 'application/json', undefined]) {
        const response = await put(
          app,
          '/uploads?fileName=%E6%97%A5.csv',
          bytes,
          type === undefined ? {} : { 'content-type': type },
        );
        expect(response.status).toBe(200);
        expect(response.headers.get('causeway-version')).toBe('2026-11');
        const json = (await response.json()) as { uploadId: string };
        expect(json).toEqual({
          uploadId: expect.stringMatching(/^up_/),
          size: 700_000,
          sha256: createHash('sha256').update(bytes).digest('hex'),
        });
        const row = await app.context.service.prisma.upload.findUniqueOrThrow({
          where: { id: json.uploadId },
        });
        expect(row).toMatchObject({ fileName: '日.csv', mode: 'live', merchantId: app.merchant.merchant.id });
      }
    });

    test('rejects an empty file, a file that is too large, and invalid parameters', async ({ app }) => {
      const before = await uploads(app);
      expect((await put(app, '/uploads', null)).status).toBe(400);
      expect((await put(app, '/uploads', '')).status).toBe(400);
      expect((await put(app, '/uploads?name=x', 'a')).status).toBe(400);
      expect((await put(app, '/uploads?fileName=a%00b', 'a')).status).toBe(400);
      expect(await uploads(app)).toBe(before);
      const { port } = app.app.server.address() as AddressInfo;
      const headers = {
        authorization: basicAuth(app.merchant.keys.live),
        'content-length': 256 * 1_048_576 + 1,
      };
      const rejection = await new Promise((resolve) => {
        const upload = httpRequest({ port, method: 'PUT', path: '/uploads', headers }, (response) => {
          resolve(json(response).finally(() => upload.destroy()));
        });
        upload.on('error', () => {});
        upload.write('a');
      });
      expect(rejection).toMatchObject({ status: 413, detail: 'A file must be at most 256 MiB' });
      expect(await uploads(app)).toBe(before);
    });

    test('stores nothing when the upload is interrupted', async ({ app }) => {
      const before = await uploads(app);
      const { port } = app.app.server.address() as AddressInfo;
      const headers = { authorization: basicAuth(app.merchant.keys.live), 'content-length': 5_000_000 };
      const upload = httpRequest({ port, method: 'PUT', path: '/uploads', headers });
      upload.on('error', () => {});
      upload.write(Buffer.alloc(1_000_000));
      await expect.poll(() => uploads(app)).toBe(before + 1);
      upload.destroy();
      await expect.poll(() => uploads(app)).toBe(before);
    });

    test('accepts uploads by owners from the dashboard’s own origin only', async ({ app }) => {
      const owner = await signInAs('owner', app, app.merchant);
      const support = await signInAs('support', app, app.merchant);
      const putAs = async ({ cookie }: Visitor, headers: object) => {
        const response = await app.app.inject({
          method: 'PUT',
          url: '/uploads',
          payload: 'a,b',
          headers: { cookie: cookie() ?? '', 'content-type': 'text/csv', ...headers },
        });
        return [response.statusCode, response.json().code];
      };
      const origin = app.context.service.settings.publicUrl;
      expect(await putAs(owner, { origin })).toEqual([200, undefined]);
      expect(await putAs(owner, { origin, 'causeway-mode': 'sandbox' })).toEqual([200, undefined]);
      expect(await putAs(owner, { origin, 'causeway-viewer': 'usr_other' })).toEqual([
        401,
        'unauthenticated',
      ]);
      expect(await putAs(owner, {})).toEqual([401, 'unauthenticated']);
      expect(await putAs(owner, { origin: 'https://evil.example' })).toEqual([401, 'unauthenticated']);
      expect(await putAs(support, { origin })).toEqual([403, 'permission_denied']);
    });
  });

  describe('GET /statements/{id}/file', () => {
    test('returns the original bytes to the merchant, and 404 to others', async ({ app }) => {
      const { service } = app.context;
      const charge = await seedCharge(service, app.merchant, { now: new Date() });
      const text = camtXml(ntry());
      const sent = await put(app, "/uploads?fileName=it's%20(1).xml", text);
      const { uploadId } = (await sent.json()) as { uploadId: string };
      const { statement } = await importStatement(service, {
        merchantId: app.merchant.merchant.id,
        mode: 'live',
        uploadId,
        receivingAccountId: charge.receivingAccountId,
        actor: 'user:ada',
        now: new Date(),
        systemNow: new Date(),
      });
      const url = `/statements/${statement.id}/file`;
      const get = (headers: Record<string, string>, query = '', method: 'GET' | 'HEAD' = 'GET') =>
        app.app.inject({ method, url: `${url}${query}`, headers });
      const response = await get({ authorization: basicAuth(app.merchant.keys.live) });
      expect([response.statusCode, response.body]).toEqual([200, text]);
      expect(response.headers).toMatchObject({
        'content-type': 'application/octet-stream',
        'content-disposition': "attachment; filename*=UTF-8''it%27s%20%281%29.xml",
        'content-length': String(text.length),
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      });
      const owner = await signInAs('owner', app, app.merchant);
      expect((await get({ cookie: owner.cookie() ?? '' })).body).toBe(text);
      const head = await get({ cookie: owner.cookie() ?? '' }, '', 'HEAD');
      expect([head.statusCode, head.headers['content-length'], head.body]).toEqual([
        200,
        String(text.length),
        '',
      ]);
      const others = [
        await get({ authorization: basicAuth(app.otherMerchant.keys.live) }),
        await get({ authorization: basicAuth(app.merchant.keys.sandbox) }),
        await get({ cookie: owner.cookie() ?? '' }, '?mode=sandbox'),
      ];
      expect(others.map((response) => [response.statusCode, response.json().code])).toEqual(
        Array(3).fill([404, 'statement_not_found']),
      );
    });
  });
});
