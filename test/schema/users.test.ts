import { describe, expect } from 'vitest';
import type { ModeKeys } from '../../src/domain/accounts/merchant/create-merchant.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { hourMs } from '../../src/kit/duration.ts';
import { basicAuth } from '../setup/api.ts';
import { ownerTest } from '../setup/auth.ts';
import { count } from '../setup/counts.ts';
import { mutate } from '../setup/graphql.ts';
import { day, minutesAfter, noon, seedApiKey, seedMerchant } from '../setup/seed.ts';
import { password, signInAs } from '../setup/sign-in.ts';
import { acceptInvitation, invite, readLastMail, readLinkToken } from '../setup/users.ts';
import { getDashboardDocument, type Visitor } from '../setup/visitor.ts';

const test = ownerTest
  .extend(
    'readToken',
    ({ service }) =>
      (email: string) =>
        readLinkToken(service, email, 'invitation'),
  )
  .extend(
    'accept',
    ({ newVisitor }) =>
      (token: string, input?: object) =>
        acceptInvitation(newVisitor(), token, input),
  );

const viewerQuery = '{ viewer { user { email name role } merchant { id } } }';

async function findUserId(service: Service, email: string): Promise<string> {
  const where = { email, removedAt: null };
  return (await service.prisma.merchantUser.findFirstOrThrow({ where })).id;
}

test('A user changes their own name only', async ({ app, service, merchant }) => {
  const support = await signInAs('support', app, merchant);
  const { prisma } = service;
  const response = await mutate(
    support,
    'updateViewer',
    { name: ' Mei Lin ' },
    'viewer { user { email name } }',
  );
  expect(response.viewer.user).toEqual({ email: support.email, name: 'Mei Lin' });
  const objectId = await findUserId(service, support.email);
  const entry = await prisma.auditEntry.findFirstOrThrow({ where: { objectId, action: 'user.updated' } });
  expect(entry).toMatchObject({
    actor: `user:${objectId}`,
    detail: { email: support.email, name: { from: '', to: 'Mei Lin' } },
  });

  await mutate(support, 'updateViewer', { name: 'Mei Lin' });
  expect(await prisma.auditEntry.count({ where: { objectId, action: 'user.updated' } })).toBe(1);
  for (const name of ['', ' ', 'x'.repeat(81)]) {
    const rejected = await mutate(support, 'updateViewer', { name });
    expect(rejected).toMatchObject({ code: 'invalid_request', errors: [{ path: '/name' }] });
  }
  expect((await support.ask(viewerQuery)).data.viewer.user.name).toBe('Mei Lin');
  const rename = async (by: Visitor, input: object) =>
    (await mutate(by, 'updateViewer', input, 'viewer { user { name } }')).viewer.user.name;
  expect(await rename(support, {})).toBe('Mei Lin');
  expect(await rename(support, { name: null })).toBeNull();
  expect((await support.ask(viewerQuery)).data.viewer.user.name).toBeNull();
  expect(await rename(await signInAs('operator', app), { name: 'Ops' })).toBe('Ops');
});

describe('The users of a merchant', () => {
  const fields = '{ email name role }';
  const readUser = (id: string) =>
    `{ node(id: "${id}") { ... on MerchantUser ${fields} } user(id: "${id}") ${fields} users(first: 50) { nodes { id } } }`;
  const askByKey =
    (visitor: Visitor, keys: ModeKeys): Visitor['ask'] =>
    (query) =>
      visitor.ask(query, { headers: { origin: undefined, authorization: basicAuth(keys) } });

  test('are visible to owners and to live keys that may manage', async ({
    app,
    service,
    merchant,
    owner,
    newVisitor,
  }) => {
    const { email } = await signInAs('developer', app, merchant);
    const id = await findUserId(service, email);
    for (const ask of [owner.ask, askByKey(newVisitor(), merchant.keys.live)]) {
      const { data } = await ask(readUser(id));
      const user = { email, name: null, role: 'developer' };
      expect(data).toMatchObject({ node: user, user });
      expect(data.users.nodes).toContainEqual({ id });
    }
  });

  test('are not visible to other callers, by ID either', async ({
    app,
    service,
    merchant,
    owner,
    newVisitor,
  }) => {
    const [developer, support] = [
      await signInAs('developer', app, merchant),
      await signInAs('support', app, merchant),
    ];
    const reader = await seedApiKey(service, merchant, { permissions: ['read', 'write'] });
    const requests = [
      developer.ask,
      support.ask,
      askByKey(newVisitor(), reader),
      askByKey(newVisitor(), merchant.keys.sandbox),
    ];
    for (const id of [await findUserId(service, owner.email), await findUserId(service, developer.email)]) {
      for (const ask of requests) {
        for (const query of [
          `node(id: "${id}") { id }`,
          `user(id: "${id}") { id }`,
          'users { nodes { id } }',
        ])
          expect((await ask(`{ ${query} }`)).errors[0].extensions.code).toBe('permission_denied');
      }
    }
    const { data } = await support.ask(`{ viewer { user ${fields} } }`);
    expect(data.viewer.user).toEqual({ email: support.email, name: null, role: 'support' });
  });
});

describe('The role of a user', () => {
  test('applies from the next request', async ({ app, service, merchant, owner }) => {
    const support = await signInAs('support', app, merchant);
    const id = await findUserId(service, support.email);
    const response = await mutate(owner, 'updateUser', { id, role: 'owner' }, 'user { role }');
    expect(response.user.role).toBe('owner');
    expect((await support.ask('{ users { totalCount } }')).data.users.totalCount).toBeGreaterThan(2);
    await mutate(owner, 'updateUser', { id, role: 'developer' });
    expect((await support.ask('{ users { totalCount } }')).errors[0].extensions.code).toBe(
      'permission_denied',
    );
  });

  test('cannot be changed for the last owner, who cannot be removed either', async ({
    service,
    merchant,
    owner,
  }) => {
    const first = await findUserId(service, merchant.email);
    const self = await findUserId(service, owner.email);
    expect((await mutate(owner, 'removeUser', { id: first })).__typename).toBe('RemoveUserSuccess');
    expect(await mutate(owner, 'updateUser', { id: self, role: 'support' })).toMatchObject({
      __typename: 'ConflictError',
      code: 'last_owner',
    });
    expect((await mutate(owner, 'removeUser', { id: self })).code).toBe('last_owner');
  });

  test('cannot be operator', async ({ service, owner }) => {
    const id = await findUserId(service, owner.email);
    expect((await mutate(owner, 'updateUser', { id, role: 'operator' })).errors[0].path).toBe('/role');
  });

  test('stays owner for one of two owners who remove or demote each other concurrently', async ({
    app,
    service,
    merchant,
    owner,
  }) => {
    const { prisma } = service;
    await prisma.merchantUser.updateMany({ where: { email: merchant.email }, data: { role: 'support' } });
    const rounds = count(3, 50);
    let last = owner;
    for (let round = 0; round < rounds; round++) {
      const rival = await signInAs('owner', app, merchant);
      const [lastId, rivalId] = [
        await findUserId(service, last.email),
        await findUserId(service, rival.email),
      ];
      const change = (by: typeof rival, id: string) =>
        round % 2 === 0
          ? mutate(by, 'removeUser', { id })
          : mutate(by, 'updateUser', { id, role: 'support' });
      // The later request may fail, because its user is signed out already.
      await Promise.allSettled([change(last, rivalId), change(rival, lastId)]);
      const remaining = await prisma.merchantUser.findMany({
        where: { merchantId: merchant.merchant.id, role: 'owner', removedAt: null },
      });
      expect(remaining).toHaveLength(1);
      if (remaining[0]?.id !== lastId) last = rival;
    }
  });
});

describe('Removing a user', () => {
  test('ends their sessions and credentials, and keeps their name in the audit trail', async ({
    app,
    service,
    merchant,
    owner,
    newVisitor,
  }) => {
    const developer = await signInAs('developer', app, merchant);
    const id = await findUserId(service, developer.email);
    const removal = await mutate(owner, 'removeUser', { id }, 'removedUserId');
    expect(removal).toEqual({ __typename: 'RemoveUserSuccess', removedUserId: id });
    expect((await developer.ask(getDashboardDocument('Viewer'))).data.viewer).toBeNull();
    expect((await newVisitor().signIn(developer.email, password)).data.signIn.code).toBe('permission_denied');
    expect((await mutate(owner, 'removeUser', { id })).code).toBe('user_not_found');
    expect((await owner.ask(`{ user(id: "${id}") { email } node(id: "${id}") { id } }`)).data).toEqual({
      user: null,
      node: null,
    });
    const { data } = await owner.ask(
      '{ auditEntries(first: 1) { nodes { action actor { name } detailsJson } } }',
    );
    expect(data.auditEntries.nodes).toEqual([
      {
        action: 'user.removed',
        actor: { name: owner.email },
        detailsJson: JSON.stringify({ role: 'developer', email: developer.email }),
      },
    ]);
  });

  test('frees the email address for a new invitation', async ({
    app,
    service,
    merchant,
    owner,
    newVisitor,
    readToken,
  }) => {
    const support = await signInAs('support', app, merchant);
    await mutate(owner, 'removeUser', { id: await findUserId(service, support.email) });
    await invite(owner, 'developer', support.email);
    const { viewer } = await acceptInvitation(newVisitor(), await readToken(support.email));
    expect(viewer.user).toEqual({ email: support.email, name: 'Ada Wong', role: 'developer' });
  });
});

describe('Managing users', () => {
  test.for(['developer', 'accountant', 'support', 'cashier', 'read_only'] as const)(
    'is denied to the role %s',
    async (role, { app, service, merchant, owner }) => {
      const user = await signInAs(role, app, merchant);
      const id = await findUserId(service, owner.email);
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
    },
  );

  test('does not find users and invitations of another merchant', async ({ app, service, owner }) => {
    const other = await seedMerchant(service, {}, noon);
    const stranger = await signInAs('owner', app, other);
    const { invitation } = await invite(owner);
    const id = await findUserId(service, owner.email);
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

describe('Invitation', () => {
  test('is sent by email, shows what it offers, and creates a user who is signed in immediately', async ({
    service,
    merchant,
    owner,
    newVisitor,
    readToken,
  }) => {
    const { invitation, email } = await invite(owner, 'developer', 'Ada.Wong@Example.com');
    expect(invitation).toMatchObject({
      email: 'ada.wong@example.com',
      role: 'developer',
      invitedBy: { kind: 'user', name: owner.email },
      expiresAt: '2026-11-24T12:00:00.000Z',
    });
    const mail = await readLastMail(service, email.toLowerCase(), 'invitation');
    expect(mail?.subject).toBe('You’ve been invited to Harbour Teas');
    expect(mail?.text).toContain(owner.email);
    const token = await readToken(email.toLowerCase());
    const browser = newVisitor();
    const offered = await browser.ask(getDashboardDocument('InvitationPreview'), { variables: { token } });
    expect(offered.data.invitationPreview).toEqual({
      merchantName: 'Harbour Teas',
      email: 'ada.wong@example.com',
      role: 'developer',
      __typename: 'InvitationPreview',
    });
    const { viewer } = await acceptInvitation(browser, token);
    expect(viewer).toEqual({
      user: { email: 'ada.wong@example.com', name: 'Ada Wong', role: 'developer' },
      merchant: { id: merchant.merchant.id },
    });
    expect((await browser.ask(viewerQuery)).data.viewer).toEqual(viewer);
    expect((await newVisitor().signIn(email, 'tea leaves at dawn')).data.signIn.__typename).toBe(
      'SignInSuccess',
    );
    const { data } = await owner.ask(
      '{ userInvitations { totalCount } users(first: 50) { nodes { email name } } }',
    );
    expect(data.userInvitations.totalCount).toBe(0);
    expect(data.users.nodes).toContainEqual({ email: 'ada.wong@example.com', name: 'Ada Wong' });
  });

  test('has a link that works once, also if three requests accept it concurrently', async ({
    owner,
    readToken,
    accept,
  }) => {
    const { email } = await invite(owner);
    const token = await readToken(email);
    const responses = await Promise.all(Array.from({ length: 3 }, () => accept(token)));
    expect(responses.map(({ code }) => code ?? 'accepted').sort()).toEqual([
      'accepted',
      ...Array(2).fill('link_invalid'),
    ]);
    expect((await accept(token)).code).toBe('link_invalid');
  });

  test('expires after 7 days; resending it starts a new period and ends the previous link', async ({
    service,
    clock,
    owner,
    newVisitor,
    readToken,
    accept,
  }) => {
    const { email, invitation } = await invite(owner);
    const first = await readToken(email);
    clock.set(minutesAfter(day('2026-11-24'), -1));
    const offered = await newVisitor().ask(getDashboardDocument('InvitationPreview'), {
      variables: { token: first },
    });
    expect(offered.data.invitationPreview.email).toBe(email);
    clock.set(day('2026-11-24'));
    expect((await accept(first)).code).toBe('link_invalid');
    const sent = await mutate(
      owner,
      'resendInvitation',
      { id: invitation.id },
      'invitation { sentAt expiresAt } invitationUrl',
    );
    expect(sent.invitationUrl).toBe(
      `${service.settings.publicUrl}/dashboard/invitation#${await readToken(email)}`,
    );
    expect(sent.invitation).toEqual({
      sentAt: '2026-11-24T12:00:00.000Z',
      expiresAt: '2026-12-01T12:00:00.000Z',
    });
    expect((await accept(first)).code).toBe('link_invalid');
    expect((await accept(await readToken(email))).viewer.user.email).toBe(email);
    expect((await mutate(owner, 'resendInvitation', { id: invitation.id })).code).toBe(
      'invitation_not_found',
    );
  });

  test('can be withdrawn, which ends its link', async ({ owner, newVisitor, readToken, accept }) => {
    const { email, invitation } = await invite(owner);
    const token = await readToken(email);
    const withdraw = () =>
      mutate(owner, 'withdrawInvitation', { id: invitation.id }, 'withdrawnInvitationId');
    expect(await withdraw()).toEqual({
      __typename: 'WithdrawInvitationSuccess',
      withdrawnInvitationId: invitation.id,
    });
    expect((await withdraw()).code).toBe('invitation_not_found');
    expect((await accept(token)).code).toBe('link_invalid');
    const { errors } = await newVisitor().ask(getDashboardDocument('InvitationPreview'), {
      variables: { token },
    });
    expect(errors[0].extensions.code).toBe('link_invalid');
  });

  test('is rejected for a user of the merchant, a second time, as operator, or without an email address', async ({
    owner,
  }) => {
    const { email } = await invite(owner);
    expect((await invite(owner, 'support', email)).errors).toEqual([
      { path: '/email', message: 'is already invited; resend that invitation' },
    ]);
    expect((await invite(owner, 'support', owner.email)).errors).toEqual([
      { path: '/email', message: 'already belongs to one of your users' },
    ]);
    expect((await invite(owner, 'operator')).errors[0].path).toBe('/role');
    expect((await invite(owner, 'support', 'nobody')).errors[0].path).toBe('/email');
  });

  test('to a user of another merchant fails only when it is accepted, so that the owner learns nothing', async ({
    service,
    owner,
    newVisitor,
    readToken,
    accept,
  }) => {
    const stranger = await seedMerchant(service, {}, noon);
    const { email, __typename } = await invite(owner, 'support', stranger.email);
    expect(__typename).toBe('InviteUserSuccess');
    const rejected = await accept(await readToken(email));
    expect(rejected).toMatchObject({ __typename: 'ConflictError', code: 'invitation_email_used' });
    const theirs = newVisitor();
    await theirs.signIn(email, stranger.password);
    expect((await theirs.ask(viewerQuery)).data.viewer.merchant.id).toBe(stranger.merchant.id);
  });

  test('of one address by two merchants creates one user if both are accepted concurrently', async ({
    app,
    service,
    clock,
    owner,
    readToken,
    accept,
  }) => {
    const other = await seedMerchant(service, { name: 'Peak Coffee' }, noon);
    const theirs = await signInAs('owner', app, other);
    for (let round = 0; round < count(2, 50); round++) {
      const { email } = await invite(owner);
      const first = await readToken(email);
      await mutate(theirs, 'inviteUser', { email, role: 'support' });
      clock.advance(hourMs);
      const { id } = await service.prisma.userInvitation.findFirstOrThrow({
        where: { email, merchantId: other.merchant.id },
      });
      await mutate(theirs, 'resendInvitation', { id });
      const responses = await Promise.all([accept(first), accept(await readToken(email))]);
      expect(responses.map(({ code }) => code ?? 'accepted').sort()).toEqual([
        'accepted',
        'invitation_email_used',
      ]);
    }
  });

  test('requires a name and a valid password', async ({ owner, readToken, accept }) => {
    const { email } = await invite(owner);
    const token = await readToken(email);
    expect((await accept(token, { name: ' ' })).errors[0].path).toBe('/name');
    expect((await accept(token, { password: email })).errors[0].path).toBe('/password');
    expect((await accept(token)).__typename).toBe('AcceptInvitationSuccess');
  });

  test('has a token that the database does not contain', async ({ service, owner, readToken }) => {
    const { email } = await invite(owner);
    const token = await readToken(email);
    const { prisma } = service;
    const rows = [await prisma.userInvitation.findMany(), await prisma.message.findMany()];
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  test('is limited to fifty a day for a merchant', async ({ service, owner }) => {
    const { prisma } = service;
    await invite(owner);
    const { kind, accountHash } = await prisma.authenticationAttempt.findFirstOrThrow({
      where: { kind: 'invitation', network: owner.address },
    });
    const sent = { kind, accountHash, network: 'elsewhere', notBefore: noon, createdAt: noon };
    await prisma.authenticationAttempt.createMany({ data: Array(48).fill(sent) });
    expect((await invite(owner)).__typename).toBe('InviteUserSuccess');
    expect((await invite(owner)).code).toBe('rate_limited');
  });
});
