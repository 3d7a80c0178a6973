import { describe, expect, onTestFinished, test } from 'vitest';
import type { ModeKeys } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { basicAuth } from '../setup/api.ts';
import { setupTeam } from '../setup/auth.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { count } from '../setup/counts.ts';
import { mutate } from '../setup/graphql.ts';
import { noon, seedApiKey, seedMerchant } from '../setup/seed.ts';
import { password, signInAs } from '../setup/sign-in.ts';
import { getDashboardDocument, type Visitor } from '../setup/visitor.ts';

const onCleanup = cleanupAfterFile();

/** Who belongs to a merchant: changed and removed by its owners. */

const viewerQuery = '{ viewer { user { email name role } merchant { id } } }';

const {
  served,
  merchant,
  owner,
  newMerchant,
  signInAs: as,
  visitor,
  invite,
  readInvitationToken,
  accept,
} = await setupTeam(onCleanup);

async function idOf(email: string): Promise<string> {
  const where = { email, removedAt: null };
  return (await served.context.service.prisma.merchantUser.findFirstOrThrow({ where })).id;
}

test('everybody says what to call them, and nobody for another', async () => {
  const support = await as('support');
  const { prisma } = served.context.service;
  const answer = await mutate(support, 'updateViewer', { name: ' Mei Lin ' }, 'user { email name }');
  expect(answer.user).toEqual({ email: support.email, name: 'Mei Lin' });
  const objectId = await idOf(support.email);
  const entry = await prisma.auditEntry.findFirstOrThrow({ where: { objectId, action: 'user.updated' } });
  expect(entry).toMatchObject({
    actor: `user:${objectId}`,
    detail: { email: support.email, name: { from: '', to: 'Mei Lin' } },
  });

  // The same again is no change.
  await mutate(support, 'updateViewer', { name: 'Mei Lin' });
  expect(await prisma.auditEntry.count({ where: { objectId, action: 'user.updated' } })).toBe(1);
  for (const name of ['', ' ', 'x'.repeat(81)]) {
    const refused = await mutate(support, 'updateViewer', { name });
    expect(refused).toMatchObject({ code: 'invalid_request', errors: [{ path: '/name' }] });
  }
  expect((await support.ask(viewerQuery)).data.viewer.user.name).toBe('Mei Lin');
  const operator = await signInAs('operator', served);
  expect((await mutate(operator, 'updateViewer', { name: 'Ops' }, 'user { name }')).user.name).toBe('Ops');
});

describe('who they are', () => {
  const fields = '{ email name role }';
  const all = (id: string) =>
    `{ node(id: "${id}") { ... on MerchantUser ${fields} } user(id: "${id}") ${fields} users(first: 50) { nodes { id } } }`;
  const byKey =
    (keys: ModeKeys): Visitor['ask'] =>
    (query) =>
      visitor().ask(query, { headers: { origin: undefined, authorization: basicAuth(keys) } });

  test('owners see, and live keys that may manage', async () => {
    const { email } = await as('developer');
    const id = await idOf(email);
    for (const ask of [owner().ask, byKey(merchant().keys.live)]) {
      const { data } = await ask(all(id));
      const user = { email, name: '', role: 'developer' };
      expect(data).toMatchObject({ node: user, user });
      expect(data.users.nodes).toContainEqual({ id });
    }
  });

  test('nobody else does, by the id either', async () => {
    const [developer, support] = [await as('developer'), await as('support')];
    const { service } = served.context;
    const reader = await seedApiKey(service, merchant(), { permissions: ['read', 'write'] });
    const asks = [developer.ask, support.ask, byKey(reader), byKey(merchant().keys.sandbox)];
    for (const id of [await idOf(owner().email), await idOf(developer.email)]) {
      for (const ask of asks) {
        for (const query of [
          `node(id: "${id}") { id }`,
          `user(id: "${id}") { id }`,
          'users { nodes { id } }',
        ])
          expect((await ask(`{ ${query} }`)).errors[0].extensions.code).toBe('permission_denied');
      }
    }
    const { data } = await support.ask(`{ viewer { user ${fields} } }`);
    expect(data.viewer.user).toEqual({ email: support.email, name: '', role: 'support' });
  });
});

describe('a role', () => {
  test('holds from the next request on', async () => {
    const support = await as('support');
    const id = await idOf(support.email);
    const answer = await mutate(owner(), 'updateUser', { id, role: 'owner' }, 'user { role }');
    expect(answer.user.role).toBe('owner');
    expect((await support.ask('{ users { totalCount } }')).data.users.totalCount).toBeGreaterThan(2);
    await mutate(owner(), 'updateUser', { id, role: 'developer' });
    expect((await support.ask('{ users { totalCount } }')).errors[0].extensions.code).toBe(
      'permission_denied',
    );
  });

  test('of the last owner stays, and the last owner too', async () => {
    await newMerchant();
    const first = await idOf(merchant().email);
    const self = await idOf(owner().email);
    expect((await mutate(owner(), 'removeUser', { id: first })).__typename).toBe('RemoveUserSuccess');
    expect(await mutate(owner(), 'updateUser', { id: self, role: 'support' })).toMatchObject({
      __typename: 'ConflictError',
      code: 'last_owner',
    });
    expect((await mutate(owner(), 'removeUser', { id: self })).code).toBe('last_owner');
  });

  test('of operator cannot be given', async () => {
    const id = await idOf(owner().email);
    expect((await mutate(owner(), 'updateUser', { id, role: 'operator' })).errors[0].path).toBe('/role');
  });

  test('two owners who remove or demote each other at once: one stays owner', async () => {
    await newMerchant();
    onTestFinished(newMerchant);
    const { prisma } = served.context.service;
    await prisma.merchantUser.updateMany({ where: { email: merchant().email }, data: { role: 'support' } });
    const rounds = count(3, 50);
    let last = owner();
    for (let round = 0; round < rounds; round++) {
      const rival = await as('owner');
      const [lastId, rivalId] = [await idOf(last.email), await idOf(rival.email)];
      const change = (by: typeof rival, id: string) =>
        round % 2 === 0
          ? mutate(by, 'removeUser', { id })
          : mutate(by, 'updateUser', { id, role: 'support' });
      // Whoever comes second may be signed out already.
      await Promise.allSettled([change(last, rivalId), change(rival, lastId)]);
      const left = await prisma.merchantUser.findMany({
        where: { merchantId: merchant().merchant.id, role: 'owner', removedAt: null },
      });
      expect(left).toHaveLength(1);
      if (left[0]?.id !== lastId) last = rival;
    }
  });
});

describe('removing a user', () => {
  test('ends their sessions and what lets them in, and keeps their name in the audit trail', async () => {
    const developer = await as('developer');
    const id = await idOf(developer.email);
    await mutate(owner(), 'removeUser', { id });
    expect((await developer.ask(getDashboardDocument('Viewer'))).data.viewer).toBeNull();
    expect((await visitor().signIn(developer.email, password)).data.signIn.code).toBe('permission_denied');
    expect((await mutate(owner(), 'removeUser', { id })).code).toBe('user_not_found');
    expect((await owner().ask(`{ user(id: "${id}") { email } node(id: "${id}") { id } }`)).data).toEqual({
      user: null,
      node: null,
    });
    const { data } = await owner().ask(
      '{ auditEntries(first: 1) { nodes { action actorName detailsJson } } }',
    );
    expect(data.auditEntries.nodes).toEqual([
      {
        action: 'user.removed',
        actorName: owner().email,
        detailsJson: JSON.stringify({ role: 'developer', email: developer.email }),
      },
    ]);
  });

  test('leaves the address free: for coming back, or for another merchant', async () => {
    const support = await as('support');
    await mutate(owner(), 'removeUser', { id: await idOf(support.email) });
    await invite('developer', support.email);
    const { viewer } = await accept(await readInvitationToken(support.email));
    expect(viewer.user).toEqual({ email: support.email, name: 'Ada Wong', role: 'developer' });
  });
});

describe('who may', () => {
  test.each(['developer', 'support'] as const)('not a %s', async (role) => {
    const user = await as(role);
    const id = await idOf(owner().email);
    for (const [name, input] of [
      ['inviteUser', { email: 'x@example.com', role: 'owner' }],
      ['resendInvitation', { id: 'inv_none' }],
      ['withdrawInvitation', { id: 'inv_none' }],
      ['updateUser', { id, role: 'support' }],
      ['removeUser', { id }],
    ] as const)
      expect((await mutate(user, name, input)).code).toBe('permission_denied');
    for (const list of ['users', 'userInvitations'])
      expect((await user.ask(`{ ${list} { totalCount } }`)).errors[0].extensions.code).toBe(
        'permission_denied',
      );
  });

  test('users and invitations of another merchant are not there', async () => {
    const other = await seedMerchant(served.context.service, {}, noon);
    const stranger = await signInAs('owner', served, other);
    const { invitation } = await invite();
    const id = await idOf(owner().email);
    for (const [name, input, code] of [
      ['updateUser', { id, role: 'support' }, 'user_not_found'],
      ['removeUser', { id }, 'user_not_found'],
      ['resendInvitation', { id: invitation.id }, 'invitation_not_found'],
      ['withdrawInvitation', { id: invitation.id }, 'invitation_not_found'],
    ] as const)
      expect((await mutate(stranger, name, input)).code).toBe(code);
    const nodes = await stranger.ask(`{ nodes(ids: ["${id}", "${invitation.id}"]) { id } }`);
    expect(nodes.data.nodes).toEqual([null, null]);
  });
});
