import { beforeAll, expect, test } from 'vitest';
import { processResetRequests } from '../../src/domain/accounts/user/process-reset-requests.ts';
import { minuteMs } from '../../src/kit/duration.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { collectAuditEntries } from '../setup/database-state.ts';
import { createFakeClock, type FakeClock } from '../setup/fake-clock.ts';
import { type GraphqlApp, type Json, mutate, setupGraphqlApp } from '../setup/graphql.ts';
import { seedWebhook } from '../setup/notifications.ts';
import { noon } from '../setup/seed.ts';
import { password, type SignedInUser, signInAs } from '../setup/sign-in.ts';
import { authenticatorCode, enableTwoFactor, invite, readLinkToken } from '../setup/users.ts';
import { createVisitor, mutateAsPage } from '../setup/visitor.ts';
import { ownOperations } from './audited-mutations.ts';

const onCleanup = cleanupAfterFile();

/** Changes of keys, certificates, webhooks and users write down what they changed by themselves: who, what, from where. */

let app: GraphqlApp;
let clock: FakeClock;

beforeAll(async () => {
  clock = createFakeClock(noon);
  app = await setupGraphqlApp(onCleanup, { clock });
});

const makeKey = (owner: SignedInUser) =>
  mutate(owner, 'createApiKey', { name: 'Till', kind: 'secret', permissions: ['read'] }, 'apiKey { id }');
const makeCertificate = (owner: SignedInUser) => mutate(owner, 'createCertificate', {}, 'certificate { id }');
const webhook = () => seedWebhook(app.context.service, app.merchant, { isSigned: true });
const newPassword = 'a longer password of tomorrow';

/** What is done before the mutation, and then its input. Answers who asks, where that is not the owner. */
type Try = (owner: SignedInUser) => Promise<{ input: object; as?: Pick<SignedInUser, 'ask'> }>;

const tries: Record<string, Try> = {
  createApiKey: async () => ({ input: { name: 'Till', kind: 'secret', permissions: ['read'] } }),
  updateApiKey: async (owner) => ({ input: { id: (await makeKey(owner)).apiKey.id, name: 'Till 2' } }),
  rotateApiKey: async (owner) => ({ input: { id: (await makeKey(owner)).apiKey.id } }),
  revokeApiKey: async (owner) => ({ input: { id: (await makeKey(owner)).apiKey.id } }),
  createCertificate: async () => ({ input: {} }),
  revokeCertificate: async (owner) => ({ input: { id: (await makeCertificate(owner)).certificate.id } }),
  createWebhook: async () => ({ input: { url: 'https://shop.example/new', username: 'shop' } }),
  updateWebhook: async () => ({ input: { id: (await webhook()).id, username: 'till' } }),
  rotateWebhookSecret: async () => ({ input: { id: (await webhook()).id } }),
  deleteWebhook: async () => ({ input: { id: (await webhook()).id } }),
  inviteUser: async () => ({ input: { email: 'invited@example.com', role: 'support' } }),
  resendInvitation: async (owner) => {
    const { invitation } = await invite(owner);
    clock.advance(10 * minuteMs);
    return { input: { id: invitation.id } };
  },
  withdrawInvitation: async (owner) => ({ input: { id: (await invite(owner)).invitation.id } }),
  updateViewer: async () => ({ input: { name: 'Ada Lovelace' } }),
  changePassword: async () => ({ input: { currentPassword: password, newPassword } }),
  confirmTwoFactorSetup: async (owner) => {
    const { secret } = await mutate(owner, 'beginTwoFactorSetup', { password }, 'secret');
    return { input: { code: authenticatorCode(secret, clock.now()) } };
  },
  regenerateRecoveryCodes: async (owner) => {
    const { secret } = await enableTwoFactor(owner, { password, clock });
    return { input: { code: authenticatorCode(secret, clock.now(), 1) } };
  },
  disableTwoFactor: async (owner) => {
    const { secret } = await enableTwoFactor(owner, { password, clock });
    return { input: { password, code: authenticatorCode(secret, clock.now(), 1) } };
  },
  signOutEverywhere: async () => ({ input: { keepCurrent: true } }),
  resetPassword: async (owner) => {
    const visitor = createVisitor(app.app);
    await mutateAsPage(visitor, 'requestPasswordReset', { email: owner.email });
    await processResetRequests(app.context.service, { now: clock.now() });
    const token = await readLinkToken(app.context.service, owner.email, 'password-reset');
    return { input: { token, newPassword }, as: visitor };
  },
};

test.each(Object.keys(tries))('%s', async (operation) => {
  const { prisma } = app.context.service;
  const owner = await signInAs('owner', app, app.merchant);
  const user = await prisma.merchantUser.findFirstOrThrow({ where: { email: owner.email } });
  const { input, as = owner } = await tries[operation]!(owner);
  const entries = await collectAuditEntries(app.context.service, async () => {
    const answer: Json = await (as === owner ? mutate : mutateAsPage)(as, operation, input);
    expect(answer.__typename, JSON.stringify(answer)).toMatch(/Success$/);
  });
  expect(entries).toMatchObject([
    {
      action: ownOperations[operation],
      actor: `user:${user.id}`,
      merchantId: app.merchant.merchant.id,
      ipAddress: expect.stringMatching(/^[\d.]+$/),
      objectId: expect.stringMatching(/^(?:key|cert|wh|usr|inv)_/),
      createdAt: clock.now(),
    },
  ]);
  if (as === owner) expect(entries[0]!.ipAddress).toBe(owner.address);
});

const byKeys = [
  'createCertificate',
  'revokeCertificate',
  'createWebhook',
  'updateWebhook',
  'rotateWebhookSecret',
];

test.each([...byKeys, 'deleteWebhook'])('%s by a key: from where too', async (operation) => {
  const { input } = await tries[operation]!(await signInAs('owner', app, app.merchant));
  const entries = await collectAuditEntries(app.context.service, async () => {
    expect((await mutate(app, operation, input)).__typename).toMatch(/Success$/);
  });
  expect(entries).toMatchObject([
    { action: ownOperations[operation], actor: expect.stringMatching(/^key:key_/), ipAddress: '127.0.0.1' },
  ]);
});
