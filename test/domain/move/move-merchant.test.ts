import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished } from 'vitest';
import { eraseCustomer } from '../../../src/domain/operations/customer-data/erase-customer.ts';
import { cancelCharge } from '../../../src/domain/payments/charge/cancel-charge.ts';
import {
  createCancelToken,
  createPageToken,
  type PageKind,
} from '../../../src/domain/payments/customer-page/page-tokens.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { relayEvents } from '../../../src/event/relay-events.ts';
import { dayMs, minuteMs } from '../../../src/kit/duration.ts';
import { type EncryptedColumn, encryptedColumns, type RowKey } from '../../../src/kit/secrets.ts';
import { callCli, runCli } from '../../cli/run-cli.ts';
import { callApi } from '../../setup/api.ts';
import { chargePath, payForm, seedCheckoutLink, seedSession, sessionPath } from '../../setup/checkout.ts';
import { hashTables } from '../../setup/database-state.ts';
import { relayAndDeliver } from '../../setup/deliver-notifications.ts';
import { exerciseEveryFeature } from '../../setup/exercise-every-feature.ts';
import { createFakeClock } from '../../setup/fake-clock.ts';
import { fileTest } from '../../setup/fixtures.ts';
import { setupGraphqlApp } from '../../setup/graphql.ts';
import { expectInvariants } from '../../setup/invariants.ts';
import { readMerchantRows } from '../../setup/merchant-rows.ts';
import { seedWebhook } from '../../setup/notifications.ts';
import { otherPublicUrl, setupOtherInstallation } from '../../setup/other-installation.ts';
import { startReceiver } from '../../setup/receiver.ts';
import { seedCharge } from '../../setup/seed.ts';
import { testAppSecret } from '../../setup/service.ts';
import { password, signInAs } from '../../setup/sign-in.ts';
import { createTempDir } from '../../setup/temp-dir.ts';
import { authenticatorCode, enableTwoFactor } from '../../setup/users.ts';
import { createVisitor } from '../../setup/visitor.ts';

/** A move step by step on the command line, between two installations with different secrets. */
const test = fileTest.extend('move', { scope: 'file' }, async ({ onFileCleanup }) => {
  // The command line has the system time, to which the fake clock returns after the features of 60 days.
  const clock = createFakeClock(new Date(Date.now() - 60 * dayMs));
  const source = await setupGraphqlApp(onFileCleanup, { clock });
  await exerciseEveryFeature(source, clock);
  clock.set(new Date());
  const { service } = source.context;
  const { merchant } = source;
  const merchantId = merchant.merchant.id;
  const receiver = await startReceiver();
  onFileCleanup(() => receiver.stop());
  await seedWebhook(service, merchant, { url: receiver.url, notificationVersion: '1.0' });
  const owner = await signInAs('owner', source, merchant);
  const twoFactor = await enableTwoFactor(owner, { password, clock });
  const idempotent = {
    method: 'POST',
    url: '/charges',
    keys: merchant.keys.live,
    body: { merchantAmount: 12, merchantCurrency: 'HKD', method: 'fps', email: 'once@example.com' },
    headers: { 'idempotency-key': 'before the move' },
  } as const;
  const answer = await callApi(source.app, idempotent);
  const charge = await seedCharge(service, merchant, { now: clock.now() });
  const session = await seedSession(service, merchant, { now: clock.now() });
  const link = await seedCheckoutLink(service, merchant, { now: clock.now() });
  const paths = {
    charge: chargePath(service, charge),
    session: sessionPath(session),
    ...(await createPagePaths(service, merchantId)),
  };
  const cancelToken = createCancelToken(service.secrets, charge);
  const cancel = async (notifyPayload: string) => {
    const seeded = await seedCharge(service, merchant, { input: { notifyPayload }, now: clock.now() });
    const { id, mode } = seeded;
    const options = { merchantId, mode, id, by: 'merchant', actor: 'key:test', now: clock.now() } as const;
    await cancelCharge(service, options);
    return id;
  };
  // The first event has a pending notification, and the second one is not relayed.
  const cancelledIds = [await cancel('relayed')];
  await relayEvents(service, { now: clock.now() });
  cancelledIds.push(await cancel('not relayed'));
  const target = await setupOtherInstallation(onFileCleanup, { clock });
  const folder = await createTempDir(onFileCleanup);
  await writeFile(join(folder, 'key'), 'a passphrase of several words\n');
  const env = { DATABASE_URL: source.connectionString, APP_SECRET: testAppSecret };
  const file = join(folder, 'merchant.causeway');
  const exportArgs = ['merchant', 'export', merchantId, file, '--key-file', join(folder, 'key')];
  await callCli(env, 'check');
  const early = await runCli(env, exportArgs);
  await callCli(env, 'merchant', 'pause', merchantId);
  const exported = await callCli(env, ...exportArgs);
  const before = await readPlainRows(service, merchantId);
  const importArgs = ['merchant', 'import', file, '--key-file', join(folder, 'key')];
  const imported = await callCli(target.env, ...importArgs);
  const after = await readPlainRows(target.service, merchantId);
  const stale = await runCli(target.env, ['merchant', 'activate', merchantId, '--code', 'another code']);
  const whileImported = await callApi(target.app, {
    method: 'GET',
    url: '/charges',
    keys: merchant.keys.live,
  });
  const completed = await callCli(env, 'merchant', 'complete-move', merchantId, '--to', otherPublicUrl);
  await callCli(target.env, 'merchant', 'activate', merchantId, '--code', completed.code);
  await target.reloadSecrets();
  return {
    ...{ clock, source, target, merchant, merchantId, env, folder, file, importArgs },
    ...{
      receiver,
      owner,
      twoFactor,
      idempotent,
      answer,
      charge,
      session,
      link,
      paths,
      cancelToken,
      cancelledIds,
    },
    ...{ early, exported, imported, before, after, stale, whileImported, completed },
  };
});

/** The paths of customer pages with signed tokens, of the merchant's first object of each kind. */
async function createPagePaths(service: Service, merchantId: string): Promise<Record<PageKind, string>> {
  const where = { where: { merchantId } };
  const objects = {
    enrol: await service.prisma.subscriptionLink.findFirstOrThrow(where),
    invoice: await service.prisma.invoice.findFirstOrThrow(where),
    poster: await service.prisma.checkoutLink.findFirstOrThrow(where),
    refund: await service.prisma.refund.findFirstOrThrow(where),
    subscription: await service.prisma.subscription.findFirstOrThrow(where),
  };
  const path = (kind: PageKind) => `/pay/${kind}/${createPageToken(service.secrets, kind, objects[kind])}`;
  return {
    enrol: path('enrol'),
    invoice: path('invoice'),
    poster: path('poster'),
    refund: path('refund'),
    subscription: path('subscription'),
  };
}

type Rows = Record<string, Record<string, unknown>[]>;

/** The rows of the merchant, with the plain text of encrypted columns. */
async function readPlainRows({ pool, secrets }: Service, merchantId: string): Promise<Rows> {
  const tables = await readMerchantRows(pool, merchantId);
  for (const name of Object.keys(encryptedColumns) as EncryptedColumn[]) {
    const [table = '', column = ''] = name.split('.');
    for (const row of tables[table]!) {
      const keys = encryptedColumns[name].map((part) => String(row[part]));
      const key = (keys.length === 1 ? keys[0] : keys) as RowKey<EncryptedColumn>;
      if (typeof row[column] === 'string') row[column] = await secrets.decrypt(row[column], name, key);
    }
  }
  return tables;
}

describe('A merchant with every feature that moved to another installation', { timeout: 300_000 }, () => {
  test('has equal rows in every table, except for the records of the move itself', ({ move }) => {
    const { before, after, exported, imported } = move;
    const isOfMove = ({ action }: Record<string, unknown>) => action === 'merchant.imported';
    const sort = (rows: object[]) => rows.map((row) => JSON.stringify(row)).toSorted();
    for (const [table, rows] of Object.entries(before)) {
      expect([table, rows.length > 0]).toEqual([table, true]);
      const known = table === 'imported_signing_key' ? rows.map(({ id }) => id) : undefined;
      const otherRows = after[table]!.filter(
        (row) => !(table === 'audit_entry' && isOfMove(row)) && (known?.includes(row.id) ?? true),
      );
      expect([table, ...sort(otherRows)]).toEqual([table, ...sort(rows)]);
    }
    expect(imported.tables).toEqual(exported.tables);
    expect(after.audit_entry!.filter(isOfMove)).toHaveLength(1);
  });

  test('was not exported before it was paused, and did not run before its code was entered', ({ move }) => {
    const { early, completed, stale, whileImported } = move;
    expect([early.code, early.stderr]).toEqual([1, expect.stringContaining('runs in this installation')]);
    expect(completed.code).toMatch(/^move_[\w-]{43}$/);
    expect([stale.code, stale.stderr]).toEqual([
      1,
      expect.stringContaining('does not belong to this import'),
    ]);
    expect([whileImported.status, whileImported.json.code]).toEqual([503, 'merchant_paused']);
  });

  test('keeps its keys, idempotent responses, sessions, 2FA, links and tokens', async ({ move }) => {
    const { target, merchant, idempotent, answer, owner, twoFactor, clock, paths, charge, cancelToken } =
      move;
    const repeated = await callApi(target.app, idempotent);
    expect([repeated.status, repeated.json]).toEqual([answer.status, answer.json]);
    const body = { ...idempotent.body, email: 'twice@example.com' };
    const otherRequest = { ...idempotent, body, headers: { 'idempotency-key': 'after the move' } };
    expect((await callApi(target.app, otherRequest)).status).toBe(201);
    const cookie = owner.cookie()!;
    const browser = createVisitor(target.app);
    const signedIn = await browser.ask('{ viewer { merchant { id } } }', {
      headers: { cookie, origin: otherPublicUrl },
    });
    expect(signedIn.errors).toBeUndefined();
    expect(signedIn.data.viewer.merchant.id).toBe(merchant.merchant.id);
    const code = authenticatorCode(twoFactor.secret, clock.now(), 1);
    const headers = { origin: otherPublicUrl };
    const { data } = await createVisitor(target.app, { address: '198.51.100.99' }).signIn(
      owner.email,
      password,
      {
        code,
        headers,
      },
    );
    expect(data.signIn.__typename).toBe('SignInSuccess');
    for (const path of Object.values(paths)) {
      expect([path, (await target.app.inject({ url: path })).statusCode]).toEqual([path, 200]);
    }
    const token = new URL(paths.charge, otherPublicUrl).searchParams.get('charge')!;
    const viewed = await target.app.inject({
      method: 'POST',
      url: '/graphql',
      headers: { authorization: `Bearer ${token}` },
      payload: { query: `{ charge(id: "${charge.id}") { id status } }` },
    });
    expect(viewed.json().data.charge).toEqual({ id: charge.id, status: expect.stringMatching(/pending/i) });
    expect(cancelToken).not.toBe(createCancelToken(target.service.secrets, charge));
  });

  test('completes an open checkout when its transfer is reported, and notifies the old webhook of everything pending', async ({
    move: { target, merchant, charge, clock, receiver, link, cancelledIds },
  }) => {
    const { receivingAccountId, paymentReference, customerAmount, customerCurrency: currency } = charge;
    const transfer = { id: 'paid-after-the-move', receivingAccountId, currency, reference: paymentReference };
    const amount = Number(customerAmount) / 100;
    const reported = await callApi(target.app, {
      method: 'POST',
      url: '/transfers',
      keys: merchant.keys.live,
      body: { transfers: [{ ...transfer, amount, paidAt: clock.now().toISOString() }] },
    });
    expect([reported.status, JSON.stringify(reported.json)]).toEqual([
      200,
      expect.stringContaining('matched'),
    ]);
    const { json } = await callApi(target.app, {
      method: 'GET',
      url: `/charges/${charge.id}`,
      keys: merchant.keys.live,
    });
    expect(json.status).toBe('completed');
    const { statusCode } = await target.app.inject({ url: `/checkout?link=${link.id}` });
    expect(statusCode).toBe(200);
    clock.advance(minuteMs);
    await relayAndDeliver(target.service, clock);
    const messages = receiver.requests.map(({ body }) => JSON.parse(body));
    const sent = messages.map(({ chargeId, message }) => `${chargeId} ${message}`);
    expect(sent.filter((text) => text.startsWith(charge.id))).toEqual([`${charge.id} CHARGE_COMPLETE`]);
    for (const id of cancelledIds)
      expect(sent.filter((text) => text.startsWith(id))).toEqual([`${id} charge_cancelled`]);
    await expectInvariants(target.service);
  });

  test('receives 403 merchant_moved from the previous installation, whose pages redirect to the new one', async ({
    move,
  }) => {
    const { source, merchant, merchantId, env, paths, owner } = move;
    const { status, json } = await callApi(source.app, {
      method: 'GET',
      url: '/charges',
      keys: merchant.keys.live,
    });
    expect([status, json.code, json.detail]).toEqual([
      403,
      'merchant_moved',
      `The merchant has moved to ${otherPublicUrl}: send the request there`,
    ]);
    const { errors } = await owner.ask('{ viewer { merchant { id } } }');
    expect(errors[0].extensions.code).toBe('merchant_moved');
    for (const path of Object.values(paths)) {
      const { statusCode, headers } = await source.app.inject({ url: path });
      expect([statusCode, headers.location]).toEqual([307, `${otherPublicUrl}${path}`]);
    }
    const form = {
      method: 'POST',
      url: paths.session,
      payload: new URLSearchParams(payForm).toString(),
    } as const;
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await source.app.inject({ ...form, headers })).statusCode).toBe(307);
    const resumed = await runCli(env, ['merchant', 'resume', merchantId]);
    expect([resumed.code, resumed.stderr]).toEqual([1, expect.stringContaining('has moved')]);
    const repeated = await callCli(env, 'merchant', 'complete-move', merchantId, '--to', otherPublicUrl);
    expect(repeated.status).toBe('moved');
    const elsewhere = ['merchant', 'complete-move', merchantId, '--to', 'https://elsewhere.example'];
    const rejected = await runCli(env, elsewhere);
    expect([rejected.code, rejected.stderr]).toEqual([
      1,
      expect.stringContaining(`has already moved to ${otherPublicUrl}`),
    ]);
    await expectInvariants(source.context.service);
    const other = source.otherMerchant.keys.live;
    expect((await callApi(source.app, { method: 'GET', url: '/charges', keys: other })).status).toBe(200);
  });

  test('cannot be imported twice', async ({ move: { target, importArgs, merchantId } }) => {
    const { code, stderr } = await runCli(target.env, importArgs);
    expect([code, stderr]).toEqual([1, expect.stringContaining(`${merchantId} (`)]);
    expect(stderr).toContain('already exists in this installation');
  });

  test('can be discarded while it is not active, leaves no row, and can be imported again', async ({
    move: { clock, target, importArgs, imported, merchantId },
  }) => {
    const other = await setupOtherInstallation(onTestFinished, { clock });
    const before = await hashTables(other.service);
    await callCli(other.env, ...importArgs);
    const discarded = await callCli(other.env, 'merchant', 'discard-import', merchantId);
    const rowCounts = Object.values(imported.tables as Record<string, { rows: number }>);
    // The import itself adds an audit entry and signing keys.
    expect(discarded.rows).toBeGreaterThan(rowCounts.reduce((sum, { rows }) => sum + rows, 0));
    const { audit_entry: _, retention_watermark: __, ...after } = await hashTables(other.service);
    expect(before).toMatchObject(after);
    const entries = await other.service.prisma.auditEntry.findMany();
    expect(entries).toMatchObject([
      { action: 'merchant.import_discarded', objectId: merchantId, merchantId: null },
    ]);
    expect((await callCli(other.env, ...importArgs)).tables).toEqual(imported.tables);
    const active = await runCli(target.env, ['merchant', 'discard-import', merchantId]);
    expect([active.code, active.stderr]).toEqual([1, expect.stringContaining('runs in this installation')]);
  });

  test('can be exported again after the move, and activated elsewhere if the new installation is lost', async ({
    move: { clock, merchant, merchantId, env, folder, exported },
  }) => {
    const other = await setupOtherInstallation(onTestFinished, { clock });
    const key = ['--key-file', join(folder, 'key')];
    const file = join(await createTempDir(onTestFinished), 'again.causeway');
    const { tables } = await callCli(env, 'merchant', 'export', merchantId, file, ...key);
    // The audit trail has the entries of the completed move and of this export.
    const { audit_entry: _, ...sameTables } = exported.tables;
    expect(tables).toMatchObject(sameTables);
    expect((await callCli(other.env, 'merchant', 'import', file, ...key)).tables).toEqual(tables);
    const { code } = await callCli(env, 'merchant', 'complete-move', merchantId, '--to', otherPublicUrl);
    await callCli(other.env, 'merchant', 'activate', merchantId, '--code', code);
    await other.reloadSecrets();
    const list = { method: 'GET', url: '/charges', keys: merchant.keys.live } as const;
    expect((await callApi(other.app, list)).status).toBe(200);
    await expectInvariants(other.service);
  });

  test('can have its customers erased in the previous installation too, where its rows still cannot change', async ({
    move: { source, merchantId, clock },
  }) => {
    const { service } = source.context;
    const { customer } = service.prisma;
    const customers = await customer.findMany({ where: { merchantId } });
    const sums: Record<string, number> = {};
    for (const { id } of customers)
      for (const [kind, count] of Object.entries(await eraseCustomer(service, { id, now: clock.now() })))
        sums[kind] = (sums[kind] ?? 0) + count;
    expect(Object.entries(sums).filter(([, count]) => count === 0)).toEqual([]);
    const isKnown = { OR: [{ email: { not: null } }, { phone: { not: null } }] };
    expect(await customer.count({ where: { merchantId, ...isKnown } })).toBe(0);
    const change = customer.updateMany({ where: { merchantId }, data: { updatedAt: clock.now() } });
    await expect(change).rejects.toThrow('the merchant is moved');
    await expectInvariants(service);
  });

  test('left a file that reveals no data', async ({ move: { folder, merchant } }) => {
    expect((await readdir(folder)).toSorted()).toEqual(['key', 'merchant.causeway']);
    const content = (await readFile(join(folder, 'merchant.causeway'))).toString('latin1');
    for (const secret of [merchant.keys.live.apiKey, merchant.merchant.name, 'charge_initiated'])
      expect(content).not.toContain(secret);
  });
});
