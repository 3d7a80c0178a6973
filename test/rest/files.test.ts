import { createHash } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from 'vitest';
import { importStatement } from '../../src/domain/money-in/statement/import-statement.ts';
import { basic } from '../setup/api.ts';
import { camtXml, ntry } from '../setup/camt-xml.ts';
import { type GraphqlApp, graphqlApp } from '../setup/graphql.ts';
import { makeCharge } from '../setup/makers.ts';
import { signedInAs } from '../setup/sign-in.ts';
import type { Visitor } from '../setup/visitor.ts';

let app: GraphqlApp;

beforeAll(async () => {
  app = await graphqlApp();
});

const put = (path: string, body: BodyInit | null, headers: Record<string, string> = {}) =>
  fetch(`${app.url}${path}`, {
    method: 'PUT',
    body,
    headers: { authorization: basic(app.merchant.keys.live), ...headers },
  });

const uploads = () => app.context.service.prisma.upload.count();

describe('PUT /uploads', () => {
  test('keeps what arrives, whatever type it says it is, and answers what it was', async () => {
    const bytes = Buffer.from(Array.from({ length: 700_000 }, (_, index) => index % 251));
    for (const type of ['application/octet-stream', 'text/csv', 'application/json', undefined]) {
      const answer = await put(
        '/uploads?fileName=%E6%97%A5.csv',
        bytes,
        type === undefined ? {} : { 'content-type': type },
      );
      expect(answer.status).toBe(200);
      expect(answer.headers.get('causeway-version')).toBe('2026-11');
      const json = (await answer.json()) as { uploadId: string };
      expect(json).toEqual({
        uploadId: expect.stringMatching(/^up_/),
        size: 700_000,
        sha256: createHash('sha256').update(bytes).digest('hex'),
      });
      const row = await app.context.service.prisma.upload.findUniqueOrThrow({ where: { id: json.uploadId } });
      expect(row).toMatchObject({ fileName: '日.csv', mode: 'live', merchantId: app.merchant.merchant.id });
    }
  });

  test('refuses nothing at all, too much, and what it does not know', async () => {
    const before = await uploads();
    expect((await put('/uploads', null)).status).toBe(400);
    expect((await put('/uploads', '')).status).toBe(400);
    expect((await put('/uploads?name=x', 'a')).status).toBe(400);
    expect((await put('/uploads?fileName=a%00b', 'a')).status).toBe(400);
    expect(await uploads()).toBe(before);
    const { port } = app.app.server.address() as AddressInfo;
    const headers = { authorization: basic(app.merchant.keys.live), 'content-length': 256 * 1_048_576 + 1 };
    const refused = await new Promise((resolve) => {
      const asking = httpRequest({ port, method: 'PUT', path: '/uploads', headers }, (answer) => {
        resolve(json(answer).finally(() => asking.destroy()));
      });
      asking.on('error', () => {});
      asking.write('a');
    });
    expect(refused).toMatchObject({ status: 413, detail: 'A file must be at most 256 MiB' });
    expect(await uploads()).toBe(before);
  });

  test('that breaks off leaves nothing', async () => {
    const before = await uploads();
    const { port } = app.app.server.address() as AddressInfo;
    const headers = { authorization: basic(app.merchant.keys.live), 'content-length': 5_000_000 };
    const asking = httpRequest({ port, method: 'PUT', path: '/uploads', headers });
    asking.on('error', () => {});
    asking.write(Buffer.alloc(1_000_000));
    await expect.poll(uploads).toBe(before + 1);
    asking.destroy();
    await expect.poll(uploads).toBe(before);
  });

  test('is for owners at the dashboard too, from its own pages only', async () => {
    const owner = await signedInAs('owner', app, app.merchant);
    const support = await signedInAs('support', app, app.merchant);
    const ask = async ({ cookie }: Visitor, headers: object) => {
      const answer = await app.app.inject({
        method: 'PUT',
        url: '/uploads',
        payload: 'a,b',
        headers: { cookie: cookie() ?? '', 'content-type': 'text/csv', ...headers },
      });
      return [answer.statusCode, answer.json().code];
    };
    const origin = app.context.service.settings.publicUrl;
    expect(await ask(owner, { origin })).toEqual([200, undefined]);
    expect(await ask(owner, { origin, 'causeway-mode': 'sandbox' })).toEqual([200, undefined]);
    expect(await ask(owner, { origin, 'causeway-viewer': 'usr_other' })).toEqual([401, 'unauthenticated']);
    expect(await ask(owner, {})).toEqual([401, 'unauthenticated']);
    expect(await ask(owner, { origin: 'https://evil.example' })).toEqual([401, 'unauthenticated']);
    expect(await ask(support, { origin })).toEqual([403, 'permission_denied']);
  });
});

describe('GET /statements/{id}/file', () => {
  test('gives the very bytes to the merchant and to nobody else', async () => {
    const { service } = app.context;
    const charge = await makeCharge(service, app.merchant, { now: new Date() });
    const text = camtXml(ntry());
    const sent = await put("/uploads?fileName=it's%20(1).xml", text);
    const { uploadId } = (await sent.json()) as { uploadId: string };
    const { statement } = await importStatement(service, {
      merchantId: app.merchant.merchant.id,
      mode: 'live',
      uploadId,
      receivingAccountId: charge.receivingAccountId,
      actor: 'user:ada',
      now: new Date(),
      machineNow: new Date(),
    });
    const url = `/statements/${statement.id}/file`;
    const get = (headers: Record<string, string>, query = '') =>
      app.app.inject({ method: 'GET', url: `${url}${query}`, headers });
    const answer = await get({ authorization: basic(app.merchant.keys.live) });
    expect([answer.statusCode, answer.body]).toEqual([200, text]);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': "attachment; filename*=UTF-8''it%27s%20%281%29.xml",
      'content-length': String(text.length),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    const owner = await signedInAs('owner', app, app.merchant);
    expect((await get({ cookie: owner.cookie() ?? '' })).body).toBe(text);
    const others = [
      await get({ authorization: basic(app.stranger.keys.live) }),
      await get({ authorization: basic(app.merchant.keys.sandbox) }),
      await get({ cookie: owner.cookie() ?? '' }, '?mode=sandbox'),
    ];
    expect(others.map((one) => [one.statusCode, one.json().code])).toEqual(
      Array(3).fill([404, 'statement_not_found']),
    );
  });
});
