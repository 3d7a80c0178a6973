import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { UserRole } from '../../prisma/client/client.ts';
import type { NewMerchant } from '../../src/domain/merchant/create-merchant.ts';
import { type TestApp, type TestClock, testApp, testClock } from '../setup/app.ts';
import { count } from '../setup/counts.ts';
import { makeMerchant, minutesAfter, noon } from '../setup/makers.ts';
import { password, signedInAs } from '../setup/sign-in.ts';
import { lastMail, linkToken, mutate } from '../setup/users.ts';
import { makeVisitor } from '../setup/visitor.ts';

/** Who belongs to a merchant: invited, changed, removed by its owners. */

const viewerQuery = '{ viewer { user { email name role } merchant { id } } }';
const next = 'tea leaves at dawn';
const dayMinutes = 24 * 60;

let clock: TestClock;
let served: TestApp;
let merchant: NewMerchant;
let owner: Awaited<ReturnType<typeof signedInAs>>;
let lastNumber = 0;

beforeAll(async () => {
  clock = testClock(noon);
  served = await testApp({ clock });
  await newMerchant();
});

beforeEach(() => clock.set(noon));

/** The merchant's second owner: the first is that of `makeMerchant`. */
async function newMerchant() {
  merchant = await makeMerchant(served.context.service, {}, noon);
  owner = await signedInAs('owner', served, merchant);
}

const as = (role: UserRole) => signedInAs(role, served, merchant);

function visitor() {
  lastNumber++;
  return makeVisitor(served.app, { address: `203.0.113.${lastNumber}` });
}

async function invite(role: UserRole = 'support', email = `new${++lastNumber}@example.com`) {
  const fields = 'invitation { id email role invitedBy sentAt expiresAt }';
  const answer = await mutate(owner, 'inviteUser', { email, role }, fields);
  return { ...answer, email };
}

const tokenOf = (email: string) => linkToken(served.context.service, email, 'invitation');

async function accept(token: string, browser = visitor(), input: object = {}) {
  return mutate(
    browser,
    'acceptInvitation',
    { token, name: 'Ada Wong', password: next, ...input },
    'viewer { user { email name role } merchant { id } }',
  );
}

async function idOf(email: string): Promise<string> {
  const where = { email, disabledAt: null };
  return (await served.context.service.prisma.merchantUser.findFirstOrThrow({ where })).id;
}

describe('an invitation', () => {
  test('is mailed, shows what it offers, and makes a user who is signed in at once', async () => {
    const { invitation, email } = await invite('developer', 'Ada.Wong@Example.com');
    expect(invitation).toMatchObject({
      email: 'ada.wong@example.com',
      role: 'developer',
      invitedBy: owner.email,
      expiresAt: '2026-11-24T12:00:00.000Z',
    });
    const mail = await lastMail(served.context.service, email.toLowerCase(), 'invitation');
    expect(mail?.subject).toBe('You are invited to Harbour Teas');
    expect(mail?.text).toContain(owner.email);
    const token = await tokenOf(email.toLowerCase());
    const browser = visitor();
    const offered = await browser.ask(
      `{ invitationOffer(token: "${token}") { merchantName email role expiresAt } }`,
    );
    expect(offered.data.invitationOffer).toEqual({
      merchantName: 'Harbour Teas',
      email: 'ada.wong@example.com',
      role: 'developer',
      expiresAt: '2026-11-24T12:00:00.000Z',
    });
    const { viewer } = await accept(token, browser);
    expect(viewer).toEqual({
      user: { email: 'ada.wong@example.com', name: 'Ada Wong', role: 'developer' },
      merchant: { id: merchant.merchant.id },
    });
    expect((await browser.ask(viewerQuery)).data.viewer).toEqual(viewer);
    expect((await visitor().signIn(email, next)).data.signIn.__typename).toBe('SignInSuccess');
    const { data } = await owner.ask(
      '{ userInvitations { totalCount } users(first: 50) { nodes { email name } } }',
    );
    expect(data.userInvitations.totalCount).toBe(0);
    expect(data.users.nodes).toContainEqual({ email: 'ada.wong@example.com', name: 'Ada Wong' });
  });

  test('its link works once: of three who accept at the same time, one is in', async () => {
    const { email } = await invite();
    const token = await tokenOf(email);
    const answers = await Promise.all(Array.from({ length: 3 }, () => accept(token)));
    expect(answers.map(({ code }) => code ?? 'in').sort()).toEqual(['in', ...Array(2).fill('link_invalid')]);
    expect((await accept(token)).code).toBe('link_invalid');
  });

  test('counts for 7 days; sent again it counts anew, and the link before no more', async () => {
    const { email, invitation } = await invite();
    const first = await tokenOf(email);
    clock.set(minutesAfter(noon, 7 * dayMinutes));
    expect((await accept(first)).code).toBe('link_invalid');
    const sent = await mutate(
      owner,
      'resendInvitation',
      { id: invitation.id },
      'invitation { sentAt expiresAt }',
    );
    expect(sent.invitation).toEqual({
      sentAt: '2026-11-24T12:00:00.000Z',
      expiresAt: '2026-12-01T12:00:00.000Z',
    });
    expect((await accept(first)).code).toBe('link_invalid');
    expect((await accept(await tokenOf(email))).viewer.user.email).toBe(email);
    expect((await mutate(owner, 'resendInvitation', { id: invitation.id })).code).toBe(
      'invitation_not_found',
    );
  });

  test('can be withdrawn', async () => {
    const { email, invitation } = await invite();
    const token = await tokenOf(email);
    const withdraw = () => mutate(owner, 'withdrawInvitation', { id: invitation.id });
    expect((await withdraw()).__typename).toBe('WithdrawInvitationSuccess');
    expect((await withdraw()).code).toBe('invitation_not_found');
    expect((await accept(token)).code).toBe('link_invalid');
    const { errors } = await visitor().ask(`{ invitationOffer(token: "${token}") { email } }`);
    expect(errors[0].extensions.code).toBe('link_invalid');
  });

  test('to one of one’s users, twice, as operator, or to no address is refused', async () => {
    const { email } = await invite();
    expect((await invite('support', email)).errors).toEqual([
      { path: '/email', message: 'is invited already; send that invitation again' },
    ]);
    expect((await invite('support', owner.email)).errors).toEqual([
      { path: '/email', message: 'is one of your users already' },
    ]);
    expect((await invite('operator')).errors[0].path).toBe('/role');
    expect((await invite('support', 'nobody')).errors[0].path).toBe('/email');
  });

  test('to a user of another merchant is not told to the owner, but to its reader', async () => {
    const stranger = await makeMerchant(served.context.service, {}, noon);
    const { email, __typename } = await invite('support', stranger.email);
    expect(__typename).toBe('InviteUserSuccess');
    const refused = await accept(await tokenOf(email));
    expect(refused).toMatchObject({ __typename: 'ConflictError', code: 'invitation_email_used' });
    expect((await visitor().signIn(email, stranger.password)).data.signIn.viewer.merchant.id).toBe(
      stranger.merchant.id,
    );
  });

  test('two merchants’ invitations of one address, accepted at once: one of them gets the user', async () => {
    const other = await makeMerchant(served.context.service, { name: 'Peak Coffee' }, noon);
    const theirs = await signedInAs('owner', served, other);
    for (let round = 0; round < count(2, 50); round++) {
      const { email } = await invite();
      const first = await tokenOf(email);
      await mutate(theirs, 'inviteUser', { email, role: 'support' });
      clock.set(minutesAfter(clock.now(), 1));
      const { id } = await served.context.service.prisma.userInvitation.findFirstOrThrow({
        where: { email, merchantId: other.merchant.id },
      });
      await mutate(theirs, 'resendInvitation', { id });
      const answers = await Promise.all([accept(first), accept(await tokenOf(email))]);
      expect(answers.map(({ code }) => code ?? 'in').sort()).toEqual(['in', 'invitation_email_used']);
    }
  });

  test('needs a name, and a password that is good', async () => {
    const { email } = await invite();
    const token = await tokenOf(email);
    expect((await accept(token, visitor(), { name: ' ' })).errors[0].path).toBe('/name');
    expect((await accept(token, visitor(), { password: email })).errors[0].path).toBe('/password');
    expect((await accept(token)).__typename).toBe('AcceptInvitationSuccess');
  });

  test('the database holds no link that opens', async () => {
    const { email } = await invite();
    const token = await tokenOf(email);
    const { prisma } = served.context.service;
    const rows = [await prisma.userInvitation.findMany(), await prisma.message.findMany()];
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  test('fifty a day are sent by a merchant', async () => {
    await newMerchant();
    const { prisma } = served.context.service;
    await invite();
    const { kind, accountHash } = await prisma.signInAttempt.findFirstOrThrow({
      where: { kind: 'invitation', address: owner.address },
    });
    const sent = { kind, accountHash, address: 'elsewhere', checkedAt: noon, createdAt: noon };
    await prisma.signInAttempt.createMany({ data: Array(49).fill(sent) });
    expect((await invite()).code).toBe('rate_limited');
  });
});

describe('a role', () => {
  test('holds from the next request on', async () => {
    const support = await as('support');
    const id = await idOf(support.email);
    const answer = await mutate(owner, 'updateUser', { id, role: 'owner' }, 'user { role }');
    expect(answer.user.role).toBe('owner');
    expect((await support.ask('{ users { totalCount } }')).data.users.totalCount).toBeGreaterThan(2);
    await mutate(owner, 'updateUser', { id, role: 'developer' });
    expect((await support.ask('{ users { totalCount } }')).errors[0].extensions.code).toBe(
      'permission_denied',
    );
  });

  test('of the last owner stays, and the last owner too', async () => {
    await newMerchant();
    const first = await idOf(merchant.email);
    const self = await idOf(owner.email);
    expect((await mutate(owner, 'removeUser', { id: first })).__typename).toBe('RemoveUserSuccess');
    expect(await mutate(owner, 'updateUser', { id: self, role: 'support' })).toMatchObject({
      __typename: 'ConflictError',
      code: 'last_owner',
    });
    expect((await mutate(owner, 'removeUser', { id: self })).code).toBe('last_owner');
  });

  test('of operator cannot be given', async () => {
    const id = await idOf(owner.email);
    expect((await mutate(owner, 'updateUser', { id, role: 'operator' })).errors[0].path).toBe('/role');
  });

  test('two owners who remove or demote each other at once: one stays owner', async () => {
    await newMerchant();
    const { prisma } = served.context.service;
    await prisma.merchantUser.updateMany({ where: { email: merchant.email }, data: { role: 'support' } });
    const rounds = count(3, 50);
    for (let round = 0; round < rounds; round++) {
      const rival = await as('owner');
      const [ownId, rivalId] = [await idOf(owner.email), await idOf(rival.email)];
      const change = (by: typeof owner, id: string) =>
        round % 2 === 0
          ? mutate(by, 'removeUser', { id })
          : mutate(by, 'updateUser', { id, role: 'support' });
      await Promise.all([change(owner, rivalId), change(rival, ownId)]);
      const left = await prisma.merchantUser.findMany({
        where: { merchantId: merchant.merchant.id, role: 'owner', disabledAt: null },
      });
      expect(left).toHaveLength(1);
      if (left[0]?.id !== ownId) owner = { ...rival };
    }
  });
});

describe('removing a user', () => {
  test('ends their sessions and what lets them in, and keeps their name in the audit trail', async () => {
    const developer = await as('developer');
    const id = await idOf(developer.email);
    await mutate(owner, 'removeUser', { id });
    expect((await developer.ask(viewerQuery)).data.viewer).toBeNull();
    expect((await visitor().signIn(developer.email, password)).data.signIn.code).toBe('permission_denied');
    expect((await mutate(owner, 'removeUser', { id })).code).toBe('user_not_found');
    expect((await owner.ask(`{ user(id: "${id}") { email } node(id: "${id}") { id } }`)).data).toEqual({
      user: null,
      node: null,
    });
    const { data } = await owner.ask('{ auditEntries(first: 1) { nodes { action actorName detail } } }');
    expect(data.auditEntries.nodes).toEqual([
      {
        action: 'user.removed',
        actorName: owner.email,
        detail: JSON.stringify({ role: 'developer', email: developer.email }),
      },
    ]);
  });

  test('leaves the address free: for coming back, or for another merchant', async () => {
    const support = await as('support');
    await mutate(owner, 'removeUser', { id: await idOf(support.email) });
    await invite('developer', support.email);
    const { viewer } = await accept(await tokenOf(support.email));
    expect(viewer.user).toEqual({ email: support.email, name: 'Ada Wong', role: 'developer' });
  });
});

describe('who may', () => {
  test.each(['developer', 'support'] as const)('not a %s', async (role) => {
    const user = await as(role);
    const id = await idOf(owner.email);
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
    const other = await makeMerchant(served.context.service, {}, noon);
    const stranger = await signedInAs('owner', served, other);
    const { invitation } = await invite();
    const id = await idOf(owner.email);
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
