import { describe, expect, test } from 'vitest';
import { minuteMs } from '../../src/kit/duration.ts';
import { setupTeam } from '../setup/auth.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { count } from '../setup/counts.ts';
import { mutate } from '../setup/graphql.ts';
import { day, minutesAfter, noon, seedMerchant } from '../setup/seed.ts';
import { signInAs } from '../setup/sign-in.ts';
import { readLastMail } from '../setup/users.ts';
import { getDashboardDocument } from '../setup/visitor.ts';

const onCleanup = cleanupAfterFile();

/** Invitations to a merchant's dashboard, from the mail to the first sign-in. */

const viewerQuery = '{ viewer { user { email name role } merchant { id } } }';
const next = 'tea leaves at dawn';

const { clock, served, merchant, owner, newMerchant, visitor, invite, readInvitationToken, accept } =
  await setupTeam(onCleanup);

describe('an invitation', () => {
  test('is mailed, shows what it offers, and makes a user who is signed in at once', async () => {
    const { invitation, email } = await invite('developer', 'Ada.Wong@Example.com');
    expect(invitation).toMatchObject({
      email: 'ada.wong@example.com',
      role: 'developer',
      inviterName: owner().email,
      expiresAt: '2026-11-24T12:00:00.000Z',
    });
    const mail = await readLastMail(served.context.service, email.toLowerCase(), 'invitation');
    expect(mail?.subject).toBe('You’ve been invited to Harbour Teas');
    expect(mail?.text).toContain(owner().email);
    const token = await readInvitationToken(email.toLowerCase());
    const browser = visitor();
    const offered = await browser.ask(getDashboardDocument('InvitationPreview'), { variables: { token } });
    expect(offered.data.invitationPreview).toEqual({
      merchantName: 'Harbour Teas',
      email: 'ada.wong@example.com',
      role: 'developer',
      __typename: 'InvitationPreview',
    });
    const { viewer } = await accept(token, browser);
    expect(viewer).toEqual({
      user: { email: 'ada.wong@example.com', name: 'Ada Wong', role: 'developer' },
      merchant: { id: merchant().merchant.id },
    });
    expect((await browser.ask(viewerQuery)).data.viewer).toEqual(viewer);
    expect((await visitor().signIn(email, next)).data.signIn.__typename).toBe('SignInSuccess');
    const { data } = await owner().ask(
      '{ userInvitations { totalCount } users(first: 50) { nodes { email name } } }',
    );
    expect(data.userInvitations.totalCount).toBe(0);
    expect(data.users.nodes).toContainEqual({ email: 'ada.wong@example.com', name: 'Ada Wong' });
  });

  test('its link works once: of three who accept at the same time, one is in', async () => {
    const { email } = await invite();
    const token = await readInvitationToken(email);
    const answers = await Promise.all(Array.from({ length: 3 }, () => accept(token)));
    expect(answers.map(({ code }) => code ?? 'in').sort()).toEqual(['in', ...Array(2).fill('link_invalid')]);
    expect((await accept(token)).code).toBe('link_invalid');
  });

  test('counts for 7 days; sent again it counts anew, and the link before no more', async () => {
    const { email, invitation } = await invite();
    const first = await readInvitationToken(email);
    clock.set(minutesAfter(day('2026-11-24'), -1));
    const offered = await visitor().ask(getDashboardDocument('InvitationPreview'), {
      variables: { token: first },
    });
    expect(offered.data.invitationPreview.email).toBe(email);
    clock.set(day('2026-11-24'));
    expect((await accept(first)).code).toBe('link_invalid');
    const sent = await mutate(
      owner(),
      'resendInvitation',
      { id: invitation.id },
      'invitation { sentAt expiresAt }',
    );
    expect(sent.invitation).toEqual({
      sentAt: '2026-11-24T12:00:00.000Z',
      expiresAt: '2026-12-01T12:00:00.000Z',
    });
    expect((await accept(first)).code).toBe('link_invalid');
    expect((await accept(await readInvitationToken(email))).viewer.user.email).toBe(email);
    expect((await mutate(owner(), 'resendInvitation', { id: invitation.id })).code).toBe(
      'invitation_not_found',
    );
  });

  test('can be withdrawn', async () => {
    const { email, invitation } = await invite();
    const token = await readInvitationToken(email);
    const withdraw = () => mutate(owner(), 'withdrawInvitation', { id: invitation.id });
    expect((await withdraw()).__typename).toBe('WithdrawInvitationSuccess');
    expect((await withdraw()).code).toBe('invitation_not_found');
    expect((await accept(token)).code).toBe('link_invalid');
    const { errors } = await visitor().ask(getDashboardDocument('InvitationPreview'), {
      variables: { token },
    });
    expect(errors[0].extensions.code).toBe('link_invalid');
  });

  test('to one of one’s users, twice, as operator, or to no address is refused', async () => {
    const { email } = await invite();
    expect((await invite('support', email)).errors).toEqual([
      { path: '/email', message: 'is already invited; resend that invitation' },
    ]);
    expect((await invite('support', owner().email)).errors).toEqual([
      { path: '/email', message: 'is already one of your users' },
    ]);
    expect((await invite('operator')).errors[0].path).toBe('/role');
    expect((await invite('support', 'nobody')).errors[0].path).toBe('/email');
  });

  test('to a user of another merchant is not told to the owner, but to its reader', async () => {
    const stranger = await seedMerchant(served.context.service, {}, noon);
    const { email, __typename } = await invite('support', stranger.email);
    expect(__typename).toBe('InviteUserSuccess');
    const refused = await accept(await readInvitationToken(email));
    expect(refused).toMatchObject({ __typename: 'ConflictError', code: 'invitation_email_used' });
    const theirs = visitor();
    await theirs.signIn(email, stranger.password);
    expect((await theirs.ask(viewerQuery)).data.viewer.merchant.id).toBe(stranger.merchant.id);
  });

  test('two merchants’ invitations of one address, accepted at once: one of them gets the user', async () => {
    const other = await seedMerchant(served.context.service, { name: 'Peak Coffee' }, noon);
    const theirs = await signInAs('owner', served, other);
    for (let round = 0; round < count(2, 50); round++) {
      const { email } = await invite();
      const first = await readInvitationToken(email);
      await mutate(theirs, 'inviteUser', { email, role: 'support' });
      clock.advance(minuteMs);
      const { id } = await served.context.service.prisma.userInvitation.findFirstOrThrow({
        where: { email, merchantId: other.merchant.id },
      });
      await mutate(theirs, 'resendInvitation', { id });
      const answers = await Promise.all([accept(first), accept(await readInvitationToken(email))]);
      expect(answers.map(({ code }) => code ?? 'in').sort()).toEqual(['in', 'invitation_email_used']);
    }
  });

  test('needs a name, and a password that is good', async () => {
    const { email } = await invite();
    const token = await readInvitationToken(email);
    expect((await accept(token, visitor(), { name: ' ' })).errors[0].path).toBe('/name');
    expect((await accept(token, visitor(), { password: email })).errors[0].path).toBe('/password');
    expect((await accept(token)).__typename).toBe('AcceptInvitationSuccess');
  });

  test('the database holds no link that opens', async () => {
    const { email } = await invite();
    const token = await readInvitationToken(email);
    const { prisma } = served.context.service;
    const rows = [await prisma.userInvitation.findMany(), await prisma.message.findMany()];
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  test('fifty a day are sent by a merchant', async () => {
    await newMerchant();
    const { prisma } = served.context.service;
    await invite();
    const { kind, accountHash } = await prisma.authenticationAttempt.findFirstOrThrow({
      where: { kind: 'invitation', network: owner().address },
    });
    const sent = { kind, accountHash, network: 'elsewhere', notBefore: noon, createdAt: noon };
    await prisma.authenticationAttempt.createMany({ data: Array(48).fill(sent) });
    expect((await invite()).__typename).toBe('InviteUserSuccess');
    expect((await invite()).code).toBe('rate_limited');
  });
});
