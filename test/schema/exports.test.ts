import { beforeAll, describe, expect, test } from 'vitest';
import type { Refund } from '../../prisma/client/client.ts';
import { buildExports } from '../../src/domain/payouts/export/build-exports.ts';
import { basicAuth } from '../setup/api.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { createFakeClock } from '../setup/fake-clock.ts';
import { type ApiAuth, type GraphqlApp, type Json, mutate, setupGraphqlApp } from '../setup/graphql.ts';
import { seedPayableRefund } from '../setup/payouts.ts';
import { noon, seedCharge } from '../setup/seed.ts';
import { type SignedInUser, signInAs } from '../setup/sign-in.ts';

const onCleanup = cleanupAfterFile();

let app: GraphqlApp;
const clock = createFakeClock(noon);
let refund: Refund;

beforeAll(async () => {
  app = await setupGraphqlApp(onCleanup, { clock });
  refund = await seedPayableRefund(app.context.service, app.merchant);
});

const service = () => app.context.service;
const exportFields =
  'id kind format status progress writtenRowCount totalRowCount fileName sizeBytes downloadUrl failureReason';

const create = (input: object, as?: ApiAuth): Promise<Json> =>
  mutate(app, 'createExport', input, `export { ${exportFields} }`, as);

async function read(id: string, as: ApiAuth = app.merchant.keys.live): Promise<Json> {
  return (await app.ask(`{ export(id: "${id}") { ${exportFields} } }`, { as })).data.export;
}

const download = (path: string, authorization: string) =>
  app.app.inject({ method: 'GET', url: path, headers: { authorization } });

describe('exports', () => {
  test('are asked for, followed, and got with the same credentials', async () => {
    const other = await seedCharge(service(), app.merchant, { input: { email: 'bob@example.com' } });
    const filter = { customerEmail: 'BOB@example.com', statuses: ['pending'] };
    const made = await create({ kind: 'charges', chargeFilter: filter, includeByteOrderMark: true });
    expect(made.export).toMatchObject({ status: 'queued', progress: 0, downloadUrl: null, format: 'csv' });
    const { id } = made.export;
    const path = `/exports/${id}/file`;
    expect((await download(path, basicAuth(app.merchant.keys.live))).statusCode).toBe(404);
    await buildExports(service(), { clock });
    const done = await read(id);
    expect(done).toMatchObject({
      status: 'completed',
      progress: 1,
      writtenRowCount: 1,
      totalRowCount: 1,
      failureReason: null,
    });
    expect(done.downloadUrl).toBe(`http://127.0.0.1:4000${path}`);
    const file = await download(path, basicAuth(app.merchant.keys.live));
    expect(file.statusCode).toBe(200);
    expect(file.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="charges-2026-11-17.csv"',
      'content-length': String(done.sizeBytes),
      'cache-control': 'no-store',
    });
    expect(file.body.split('\r\n')).toEqual([
      expect.stringMatching(/^\uFEFFid,status,/),
      expect.stringContaining(other.id),
      '',
    ]);
    for (const keys of [app.otherMerchant.keys.live, app.merchant.keys.sandbox]) {
      expect(await read(id, keys)).toBeNull();
      expect((await download(path, basicAuth(keys))).statusCode).toBe(404);
    }
    expect((await app.app.inject({ url: path })).statusCode).toBe(401);
    expect((await app.ask('{ exports { totalCount nodes { id } } }')).data.exports).toEqual({
      totalCount: 1,
      nodes: [{ id }],
    });
  });

  test('of the lists take the filters of the lists', async () => {
    const transfers = await create({ kind: 'transfers', transferFilter: { statuses: ['matched'] } });
    const refunds = await create({ kind: 'refunds', refundFilter: { statuses: ['initiated'] } });
    await buildExports(service(), { clock });
    expect(await read(transfers.export.id)).toMatchObject({ writtenRowCount: 1 });
    expect(await read(refunds.export.id)).toMatchObject({
      writtenRowCount: 0,
      status: 'completed',
      progress: 1,
    });
  });

  test('of the books need their days', async () => {
    expect(await create({ kind: 'reconciliation', startDate: '2026-11-01' })).toMatchObject({
      code: 'invalid_request',
      errors: [{ path: '/endDate' }],
    });
    const backwards = { kind: 'reconciliation', startDate: '2026-11-02', endDate: '2026-11-01' };
    expect((await create(backwards)).code).toBe('invalid_request');
  });

  test('of refunds to pay are for who may pay, also in the dashboard', async () => {
    const owner = await signInAs('owner', app, app.merchant);
    const support = await signInAs('support', app, app.merchant);
    const asked = { kind: 'payouts', format: 'pain_001_001_09' };
    const ask = (who: SignedInUser) => mutate(who, 'createExport', asked, 'export { id }');
    expect((await ask(support)).__typename).toBe('PermissionError');
    const { id } = (await ask(owner)).export;
    await buildExports(service(), { clock });
    const file = async (who: SignedInUser) =>
      app.app.inject({ url: `/exports/${id}/file`, headers: { cookie: who.cookie() ?? '' } });
    expect((await file(support)).statusCode).toBe(403);
    const got = await file(owner);
    expect(got.statusCode).toBe(200);
    expect(got.headers['content-type']).toBe('application/xml; charset=utf-8');
    expect(got.body).toContain(refund.payoutReference);
    expect((await create(asked)).code).toBe('invalid_request');
  });
});
