import { beforeAll, describe, expect, test } from 'vitest';
import type { Mode, UserRole } from '../../prisma/client/client.ts';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { setupApp, type TestApp } from '../setup/app.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { createWebSocketClient } from '../setup/graphql.ts';
import { seedCharge, seedMerchant } from '../setup/seed.ts';
import { signInAs } from '../setup/sign-in.ts';
import { publicOrigin } from '../setup/visitor.ts';

const onCleanup = cleanupAfterFile();

/** What a signed-in user sees and may do, by role and mode. */

const now = new Date();

let served: TestApp;
let url: string;
let merchant: NewMerchant;

beforeAll(async () => {
  served = await setupApp(onCleanup);
  merchant = await seedMerchant(served.context.service, { restricted: 'none' }, now);
  url = await served.app.listen({ port: 0, host: '127.0.0.1' });
});

const signedIn = (role: UserRole) => signInAs(role, served, merchant);

const permissionsQuery = '{ viewer { permissions } }';
const cancel =
  'mutation ($id: ID!) { cancelCharge(input: { id: $id }) { __typename ... on UserError { code } } }';
const complete =
  'mutation ($id: ID!) { completeSandboxCharge(input: { id: $id }) { __typename ... on UserError { code } } }';
const record =
  'mutation { recordTransfers(input: { transfers: [] }) { __typename ... on UserError { code message } } }';
const create = `mutation { createCharge(input: {
  email: "ada@example.com", merchantAmount: "10", merchantCurrency: "HKD", method: fps
}) { __typename ... on UserError { code } } }`;

describe('roles', () => {
  test.each<[UserRole, Mode, string[]]>([
    ['owner', 'live', ['read', 'write', 'refund', 'transfers', 'manage']],
    ['owner', 'sandbox', ['read', 'write', 'refund', 'transfers', 'manage']],
    ['developer', 'live', ['read', 'write']],
    ['developer', 'sandbox', ['read', 'write', 'refund', 'transfers', 'manage']],
    ['support', 'live', ['read', 'write']],
    ['support', 'sandbox', ['read', 'write']],
    ['operator', 'live', []],
  ])('%s in %s mode', async (role, mode, permissions) => {
    const visitor = await signedIn(role);
    expect((await visitor.ask(permissionsQuery, { mode })).data.viewer.permissions).toEqual(permissions);
  });

  test('support cancels a charge, and cannot record money', async () => {
    const visitor = await signedIn('support');
    const { id } = await seedCharge(served.context.service, merchant, { now });
    const cancelled = await visitor.ask(cancel, { variables: { id } });
    expect(cancelled.data.cancelCharge.__typename).toBe('CancelChargeSuccess');
    expect((await visitor.ask(record)).data.recordTransfers).toMatchObject({
      __typename: 'PermissionError',
      code: 'permission_denied',
    });
    const [event] = await served.context.service.prisma.event.findMany({
      where: { objectId: id, type: 'charge_cancelled' },
    });
    expect(event?.actor).toMatch(/^user:usr_/);
  });

  test('restricted operations are closed to every user of a merchant without access, in both modes', async () => {
    const visitor = await signedIn('owner');
    for (const mode of ['live', 'sandbox'] as const) {
      const { data } = await visitor.ask(create, { mode });
      expect(data.createCharge).toEqual({ __typename: 'PermissionError', code: 'restricted_endpoint' });
    }
    const where = { id: merchant.merchant.id };
    const { prisma } = served.context.service;
    await prisma.merchant.update({ where, data: { restrictedAccess: 'granted' } });
    const { data } = await visitor.ask(create, { mode: 'sandbox' });
    expect(data.createCharge.__typename).toBe('CreateChargeSuccess');
    await prisma.merchant.update({ where, data: { restrictedAccess: 'none' } });
  });

  test('an operator is signed in and sees nothing of any merchant', async () => {
    const visitor = await signedIn('operator');
    const { data } = await visitor.ask('{ viewer { user { role } merchant { id } } }');
    expect(data.viewer).toEqual({ user: { role: 'operator' }, merchant: null });
    const { errors } = await visitor.ask('{ charges { nodes { id } } }');
    expect(errors[0].extensions.code).toBe('permission_denied');
  });
});

describe('modes', () => {
  test('the header chooses whose objects there are; the other mode’s do not exist', async () => {
    const visitor = await signedIn('owner');
    const charge = await seedCharge(served.context.service, merchant, { mode: 'sandbox', now });
    const query = '{ charges { nodes { id } } me { mode } }';
    const sandbox = await visitor.ask(query, { mode: 'sandbox' });
    expect(sandbox.data.me.mode).toBe('sandbox');
    expect(sandbox.data.charges.nodes).toContainEqual({ id: charge.id });
    const live = await visitor.ask(query);
    expect(live.data.me.mode).toBe('live');
    expect(live.data.charges.nodes).not.toContainEqual({ id: charge.id });
    const variables = { id: charge.id };
    expect((await visitor.ask(complete, { variables, mode: 'live' })).data.completeSandboxCharge.code).toBe(
      'sandbox_only',
    );
    const done = await visitor.ask(complete, { variables, mode: 'sandbox' });
    expect(done.data.completeSandboxCharge.__typename).toBe('CompleteSandboxChargeSuccess');
  });

  test('an unknown mode is refused', async () => {
    const visitor = await signedIn('owner');
    const { status, errors } = await visitor.ask(permissionsQuery, { mode: 'test' as Mode });
    expect([status, errors[0].extensions.code]).toEqual([400, 'invalid_request']);
  });
});

describe('live updates', () => {
  test('come over a socket with the session’s cookie, of the mode that was asked for', async () => {
    const visitor = await signedIn('support');
    const headers = { origin: publicOrigin, cookie: visitor.cookie()! };
    const client = createWebSocketClient(onCleanup, url, { mode: 'sandbox' }, headers);
    const updates = client.iterate({ query: 'subscription { chargesUpdated { id status } }' });
    await seedCharge(served.context.service, merchant, { mode: 'sandbox', now });
    // The newest at once: from then on nothing is missed.
    await updates.next();
    // Of somebody else: an equal one would be the charge that was told of already.
    const input = { email: 'grace@example.com' };
    const live = await seedCharge(served.context.service, merchant, { mode: 'live', now });
    const charge = await seedCharge(served.context.service, merchant, { mode: 'sandbox', now, input });
    const told: { id: string; status: string }[] = [];
    for await (const { data } of updates) {
      const update = (data as { chargesUpdated: { id: string; status: string } }).chargesUpdated;
      told.push(update);
      if (update.id === charge.id) break;
    }
    expect(told.at(-1)).toEqual({ id: charge.id, status: 'pending' });
    expect(told.map(({ id }) => id)).not.toContain(live.id);
  });

  test('not for another origin, and not without a session', async () => {
    const visitor = await signedIn('owner');
    const cookie = visitor.cookie()!;
    const connect = (headers: Record<string, string>, params: object = {}) =>
      createWebSocketClient(onCleanup, url, { mode: 'live', ...params }, headers)
        .iterate({ query: '{ viewer { user { email } } }' })
        .next();
    const refused = { code: 4401 };
    await expect(connect({ origin: 'https://evil.example', cookie })).rejects.toMatchObject(refused);
    await expect(connect({ cookie })).rejects.toMatchObject(refused);
    await expect(connect({ origin: publicOrigin })).rejects.toMatchObject(refused);
    // A tab that shows somebody who is not signed in here any more.
    const other = connect({ origin: publicOrigin, cookie }, { viewer: 'usr_other' });
    await expect(other).rejects.toMatchObject(refused);
    expect(await connect({ origin: publicOrigin, cookie })).toMatchObject({
      value: { data: { viewer: { user: { email: visitor.email } } } },
    });
  });
});
