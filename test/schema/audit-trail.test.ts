import { describe, expect } from 'vitest';
import { schema } from '../../schema/schema.ts';
import { processResetRequests } from '../../src/domain/accounts/user/reset-password.ts';
import { renewSubscriptions } from '../../src/domain/billing/collection/renew-subscriptions.ts';
import { createRefund } from '../../src/domain/payments/refund/create-refund.ts';
import { auditActions, recordAudit } from '../../src/domain/platform/audit/record-audit.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { storeUpload } from '../../src/domain/platform/upload/store-upload.ts';
import { relayEvents } from '../../src/event/relay-events.ts';
import { transact } from '../../src/event/unit-of-work.ts';
import { dayMs, minuteMs } from '../../src/kit/duration.ts';
import { newId } from '../../src/kit/id.ts';
import { sha256 } from '../../src/kit/secrets.ts';
import { newToken } from '../../src/kit/token.ts';
import { operations } from '../../src/rest/operations.ts';
import { fakeTimeGraphqlTest } from '../setup/app-fixtures.ts';
import { collectAuditEntries } from '../setup/database-state.ts';
import type { FakeClock } from '../setup/fake-clock.ts';
import { type GraphqlApp, type Json, mutate, readAllPages } from '../setup/graphql.ts';
import { csvLines, importFile, queueFile } from '../setup/import-file.ts';
import { seedWebhook } from '../setup/notifications.ts';
import { minutesAfter, noon, seedCharge, seedMerchant } from '../setup/seed.ts';
import { password, type SignedInUser, signInAs } from '../setup/sign-in.ts';
import { mt940Text, toChunks } from '../setup/statement-files.ts';
import { seedActiveSubscription, seedPlan } from '../setup/subscriptions.ts';
import { payCharge } from '../setup/transfers.ts';
import { authenticatorCode, enableTwoFactor, invite, readLinkToken } from '../setup/users.ts';
import { createVisitor, mutateAsPage } from '../setup/visitor.ts';
import { ownOperations, sharedOperations, withoutEntry, withoutObject } from './audited-mutations.ts';

const test = fakeTimeGraphqlTest.extend('owner', { scope: 'file' }, ({ app }) =>
  signInAs('owner', app, app.merchant),
);

test('Every mutation and every writing route has an audit entry, or a reason why not', () => {
  const mutations = Object.keys(schema.getMutationType()!.getFields());
  const routes = Object.entries(operations)
    .filter(([route]) => !route.startsWith('GET '))
    .map(([, { operationId }]) => operationId)
    // Uploading a file changes nothing; its import is recorded.
    .filter((name) => name !== 'uploadFile');
  const exempt = [
    ...Object.keys(sharedOperations),
    ...Object.keys(ownOperations),
    ...Object.keys(withoutEntry),
  ];
  expect([...new Set([...mutations, ...routes])].sort()).toEqual(exempt.sort());
  expect(
    [...Object.values(sharedOperations), ...Object.values(ownOperations)].filter(
      (action) => !auditActions.includes(action as never),
    ),
  ).toEqual([]);
});

const seedPendingCharge = (
  app: GraphqlApp,
  service: Service,
  email: string,
  mode: 'live' | 'sandbox' = 'live',
) => seedCharge(service, app.merchant, { mode, input: { email }, now: noon });

type AuditTest = { app: GraphqlApp; service: Service; owner: SignedInUser };

/** The input of each mutation, and whether it runs in the sandbox. */
const inputs: Record<string, (context: AuditTest) => Promise<{ input: string; sandbox?: true }>> = {
  async advanceTestClock() {
    return { input: `advanceTo: "${minutesAfter(noon, 1).toISOString()}"`, sandbox: true };
  },
  cancelCharge: async ({ app, service }) => ({
    input: `id: "${(await seedPendingCharge(app, service, 'cancel@example.com')).id}"`,
  }),
  cancelCounterSale: async ({ app, service, owner }) => ({
    input: `id: "${await createObject(app, service, owner, 'createCounterSale')}"`,
  }),
  chooseCounterSaleMethod: async ({ app, service, owner }) => ({
    input: `id: "${await createObject(app, service, owner, 'createCounterSale')}", method: fps`,
  }),
  cancelRefund: async ({ app, service }) => ({ input: `id: "${await seedRefund(app, service)}"` }),
  cancelSession: async ({ app, service, owner }) => ({
    input: `id: "${await createObject(app, service, owner, 'createSession')}"`,
  }),
  cancelSubscription: async ({ app, service }) => ({
    input: `id: "${(await seedSubscription(app, service)).id}"`,
  }),
  changeSubscriptionMethod: async ({ app, service }) => ({
    input: `id: "${(await seedSubscription(app, service)).id}", method: fps`,
  }),
  closeCheckoutLink: async ({ app, service, owner }) => ({
    input: `id: "${await createObject(app, service, owner, 'createCheckoutLink')}"`,
  }),
  updateCheckoutLink: async ({ app, service, owner }) => ({
    input: `id: "${await createObject(app, service, owner, 'createCheckoutLink')}", name: "Market stall"`,
  }),
  completeRefund: async ({ app, service, owner }) => ({
    input: `id: "${await seedProcessingRefund(app, service, owner)}"`,
  }),
  completeSandboxCharge: async ({ app, service }) => ({
    input: `id: "${(await seedPendingCharge(app, service, 'box@example.com', 'sandbox')).id}"`,
    sandbox: true,
  }),
  createCharge: async () => ({
    input: 'email: "by-hand@example.com", merchantAmount: "5", merchantCurrency: "HKD", method: fps',
  }),
  createCheckoutLink: async () => ({ input: 'amount: "5", currency: "HKD"' }),
  createCounterSale: async () => ({ input: 'amount: "5", currency: "HKD"' }),
  createRefund: async ({ app, service }) => ({
    input: `chargeId: "${await seedPaidCharge(app, service)}", customerAmount: "1"`,
  }),
  createSession: async () => ({ input: 'amount: "5", currency: "HKD"' }),
  createSubscriptionLink: async ({ app, service }) => ({
    input: `subscriptionPlanId: "${(await seedOwnPlan(app, service)).id}"`,
  }),
  createSubscriptionPlan: async () => ({
    input: 'name: "Tea", currency: "HKD", recurringPayment: { amount: "5", period: months, count: 1 }',
  }),
  async dismissAlert({ app, service }) {
    const { prisma } = service;
    const { id: webhookId, url } = await seedWebhook(service, app.merchant, {});
    const alert = await prisma.alert.create({
      data: {
        id: newId('alert', noon),
        merchantId: app.merchant.merchant.id,
        mode: 'live',
        kind: 'endpoint_failing',
        webhookId,
        url,
        detail: 'the endpoint responded with 500',
        dedupeKey: 'audit',
        createdAt: noon,
      },
    });
    return { input: `id: "${alert.id}"` };
  },
  enrol: async ({ app, service }) => ({
    input: `subscriptionPlanId: "${(await seedOwnPlan(app, service)).id}", method: fps, customer: { email: "eve@example.com" }`,
  }),
  async importStatement({ app, service }) {
    const { receivingAccountId } = await seedPendingCharge(app, service, 'file@example.com');
    const owner = { merchantId: app.merchant.merchant.id, mode: 'live', actor: 'user:test' } as const;
    const source = toChunks('Date,Amount,Text\n2026-11-17,1.00,none\n', 1000);
    const file = { ...owner, fileName: 'day.csv', source, now: noon };
    const upload = await storeUpload(service, file);
    return {
      input: `receivingAccountId: "${receivingAccountId}", uploadId: "${upload.id}", mapping: ${mapping}`,
    };
  },
  async cancelStatement({ app, service }) {
    const charge = await seedPendingCharge(app, service, 'cancelled@example.com');
    const file = { ...charge, ...csvLines(charge.paymentReference, 2), now: noon };
    return { input: `id: "${(await queueFile(service, app.merchant, file)).statement.id}"` };
  },
  async confirmStatement({ app, service }) {
    const charge = await seedPendingCharge(app, service, 'confirmed@example.com');
    const content = mt940Text(':61:261120C1,NTRFNONREF');
    const file = { receivingAccountId: charge.receivingAccountId, content, now: noon };
    return { input: `id: "${(await importFile(service, app.merchant, file)).id}"` };
  },
  async undoStatement({ app, service }) {
    const charge = await seedPendingCharge(app, service, 'undone@example.com');
    const file = { ...charge, ...csvLines(charge.paymentReference, 3), now: noon };
    return { input: `id: "${(await importFile(service, app.merchant, file)).id}"` };
  },
  async payInvoice({ app, service }) {
    const { id: subscriptionId } = await seedSubscription(app, service);
    await renewSubscriptions(service, { now: new Date(noon.getTime() + 40 * dayMs) });
    const invoice = await service.prisma.invoice.findFirstOrThrow({
      where: { subscriptionId, status: 'open' },
    });
    return { input: `id: "${invoice.id}", method: hk_bank_transfer` };
  },
  async resendNotification({ app, service }) {
    await seedWebhook(service, app.merchant, { notificationVersion: '1.0' });
    await seedPendingCharge(app, service, 'notified@example.com');
    await relayEvents(service, { now: noon });
    const { id } = await service.prisma.notification.findFirstOrThrow({
      where: { merchantId: app.merchant.merchant.id, mode: 'live' },
    });
    return { input: `id: "${id}"` };
  },
  simulateTransfer: async ({ app, service }) => ({
    input: `chargeId: "${(await seedPendingCharge(app, service, 'money@example.com', 'sandbox')).id}", kind: exact`,
    sandbox: true,
  }),
  updateStatementMapping: async ({ app, service }) => ({
    input: `receivingAccountId: "${(await seedPendingCharge(app, service, 'map@example.com')).receivingAccountId}", mapping: ${mapping}`,
  }),
  reopenRefund: async ({ app, service, owner }) => ({
    input: `id: "${await seedProcessingRefund(app, service, owner)}", reason: "no such account"`,
  }),
  replayNotifications: async () => ({ input: 'createdFrom: "2026-01-01T00:00:00Z"' }),
  submitRefundDetails: async ({ app, service }) => ({
    input: `id: "${await seedRefund(app, service)}", ${details}`,
  }),
  undoRefundCompletion: async ({ app, service, owner }) => {
    const id = await seedProcessingRefund(app, service, owner);
    await callMutation(app, owner, 'completeRefund', `id: "${id}"`);
    return { input: `id: "${id}"` };
  },
  updateSubscriptionPlan: async ({ app, service }) => ({
    input: `id: "${(await seedOwnPlan(app, service)).id}", name: "More tea"`,
  }),
  recordTransfers: async ({ app, service }) => ({
    input: `transfers: [{ bankReference: "audit-1", receivingAccountId: "${(await seedPendingCharge(app, service, 'to@example.com')).receivingAccountId}", amount: "1", currency: "HKD", reference: "none", paidAt: "${noon.toISOString()}" }]`,
  }),
  sendTestNotification: async ({ app, service }) => ({
    input: `webhookId: "${(await seedWebhook(service, app.merchant, {})).id}"`,
  }),
};

const mapping = `{ encoding: "utf-8", delimiter: ",", skipLines: 0, hasHeader: true, footerRows: 0, decimalMark: ".",
  dateOrder: ymd, hasBuddhistYears: false, dateColumn: "Date", amountFormat: signed, amountColumn: "Amount", referenceColumns: ["Text"] }`;

const details = 'bank: "004", account: "12345678", accountName: "Ada Lovelace"';

const seedOwnPlan = (app: GraphqlApp, service: Service) => seedPlan(service, app.merchant, { now: noon });

const seedSubscription = async (app: GraphqlApp, service: Service) =>
  seedActiveSubscription(service, app.merchant, {
    plan: await seedOwnPlan(app, service),
    now: noon,
  });

/** The ID fields of the object of an entry: a sale is a session without an ID of its own. */
const idFields = ['id', 'sessionId'];

/** The object of the entry, if a result has several, or none: the entry of a sale's payment names its charge. */
const subjects: Record<string, string | undefined> = {
  enrol: 'subscription',
  chooseCounterSaleMethod: undefined,
};

async function createObject(
  app: GraphqlApp,
  service: Service,
  owner: SignedInUser,
  operation: string,
): Promise<string> {
  const { input } = await inputs[operation]!({ app, service, owner });
  const response = await callMutation(app, owner, operation, input);
  return response.id;
}

async function seedPaidCharge(app: GraphqlApp, service: Service): Promise<string> {
  const charge = await seedPendingCharge(app, service, `${crypto.randomUUID()}@example.com`);
  await payCharge(service, app.merchant, charge, { now: noon });
  return charge.id;
}

async function seedRefund(app: GraphqlApp, service: Service): Promise<string> {
  const { merchant } = app.merchant;
  const ownVariables = {
    merchantId: merchant.id,
    mode: 'live' as const,
    actor: 'key:test',
    now: noon,
  };
  const input = { chargeId: await seedPaidCharge(app, service), customerAmount: 1 };
  return (await createRefund(service, { ...ownVariables, input })).refund.id;
}

async function seedProcessingRefund(app: GraphqlApp, service: Service, owner: SignedInUser): Promise<string> {
  const id = await seedRefund(app, service);
  await callMutation(app, owner, 'submitRefundDetails', `id: "${id}", ${details}`);
  return id;
}

/** Calls a mutation as the owner or with the sandbox key; returns the object of the success. */
async function callMutation(
  app: GraphqlApp,
  owner: SignedInUser,
  operation: string,
  input: string,
  sandbox?: true,
): Promise<Json> {
  const success = `${operation[0]!.toUpperCase()}${operation.slice(1)}Success`;
  const fields = (schema.getType(success) as Json).getFields() as Record<string, { type: Json }>;
  const findIdField = (type: Json) =>
    idFields.find((field) => field in ((type.ofType ?? type).getFields?.() ?? {}));
  const name =
    operation in subjects
      ? subjects[operation]
      : Object.keys(fields).find((field) => findIdField(fields[field]!.type));
  const text = `mutation { ${operation}(input: { ${input} }) {
    __typename ... on ${success} { ${name ? `${name} { id: ${findIdField(fields[name]!.type)} }` : '__typename'} } ... on UserError { code message } } }`;
  const { data, errors } = sandbox
    ? await app.ask(text, { as: app.merchant.keys.sandbox })
    : await owner.ask(text);
  expect(errors, text).toBeUndefined();
  expect(data[operation], text).toMatchObject({ __typename: success });
  return name ? data[operation][name] : {};
}

describe('Operations that customers share', () => {
  test('are all tested', () => {
    expect(Object.keys(inputs).sort()).toEqual(Object.keys(sharedOperations).sort());
  });

  test.for(Object.keys(inputs))(
    'create one audit entry with object, actor and address: %s',
    async (operation, { app, service, owner }) => {
      const { input, sandbox } = await inputs[operation]!({ app, service, owner });
      let object: Json;
      const entries = await collectAuditEntries(service, async () => {
        object = await callMutation(app, owner, operation, input, sandbox);
      });
      expect(entries).toMatchObject([
        {
          action: sharedOperations[operation],
          merchantId: app.merchant.merchant.id,
          actor: sandbox ? expect.stringMatching(/^key:key_/) : expect.stringMatching(/^user:usr_/),
          ipAddress: sandbox ? '127.0.0.1' : owner.address,
          mode: sandbox ? 'sandbox' : 'live',
          createdAt: noon,
        },
      ]);
      if (/^(charge|refund|session)\./.test(entries[0]!.action))
        expect(entries[0]!.detail).toMatchObject({ amount: expect.any(String), currency: 'HKD' });
      const isClock = operation === 'advanceTestClock';
      // A test clock is a part of the merchant’s row.
      expect(entries[0]!.objectId === null).toBe(withoutObject.includes(operation));
      if (object.id) expect(entries[0]!.objectId).toBe(isClock ? app.merchant.merchant.id : object.id);
    },
  );
});

test('A test clock that does not advance creates no audit entry', async ({ app, service }) => {
  const text = `mutation { advanceTestClock(input: { advanceTo: "2020-01-01T00:00:00Z" }) {
    ... on UserError { code } } }`;
  const entries = await collectAuditEntries(service, async () => {
    const { data } = await app.ask(text, { as: app.merchant.keys.sandbox });
    expect(data).toEqual({ advanceTestClock: { code: 'invalid_request' } });
  });
  expect(entries).toEqual([]);
});

const createKey = (owner: SignedInUser) =>
  mutate(owner, 'createApiKey', { name: 'Checkout', kind: 'secret', permissions: ['read'] }, 'apiKey { id }');

const createCertificate = (owner: SignedInUser) =>
  mutate(owner, 'createCertificate', {}, 'certificate { id }');

const seedSignedWebhook = (app: GraphqlApp) =>
  seedWebhook(app.context.service, app.merchant, { isSigned: true });

const newPassword = 'a longer password of tomorrow';

/** Prepares a mutation; returns its input, and the caller if that is not the owner. */
type PrepareMutation = (
  owner: SignedInUser,
  context: { app: GraphqlApp; clock: FakeClock },
) => Promise<{ input: object; as?: Pick<SignedInUser, 'ask'> }>;

const ownMutations: Record<string, PrepareMutation> = {
  createApiKey: async () => ({ input: { name: 'Checkout', kind: 'secret', permissions: ['read'] } }),
  updateApiKey: async (owner) => ({ input: { id: (await createKey(owner)).apiKey.id, name: 'Checkout 2' } }),
  rotateApiKey: async (owner) => ({ input: { id: (await createKey(owner)).apiKey.id } }),
  revokeApiKey: async (owner) => ({ input: { id: (await createKey(owner)).apiKey.id } }),
  createCertificate: async () => ({ input: {} }),
  revokeCertificate: async (owner) => ({ input: { id: (await createCertificate(owner)).certificate.id } }),
  createWebhook: async () => ({ input: { url: 'https://shop.example/new', username: 'shop' } }),
  updateWebhook: async (_owner, { app }) => ({
    input: { id: (await seedSignedWebhook(app)).id, username: 'checkout' },
  }),
  rotateWebhookSecret: async (_owner, { app }) => ({ input: { id: (await seedSignedWebhook(app)).id } }),
  deleteWebhook: async (_owner, { app }) => ({ input: { id: (await seedSignedWebhook(app)).id } }),
  inviteUser: async () => ({ input: { email: 'invited@example.com', role: 'support' } }),
  resendInvitation: async (owner, { clock }) => {
    const { invitation } = await invite(owner);
    clock.advance(10 * minuteMs);
    return { input: { id: invitation.id } };
  },
  withdrawInvitation: async (owner) => ({ input: { id: (await invite(owner)).invitation.id } }),
  updateViewer: async () => ({ input: { name: 'Ada Lovelace' } }),
  updateNoticeSettings: async () => ({
    input: { settings: [{ channel: 'email', topic: 'payments', frequency: 'daily' }] },
  }),
  sendTestNotice: async () => ({ input: { channel: 'email' } }),
  changeEmail: async () => ({ input: { password, email: 'new-owner@shop.example' } }),
  confirmEmailChange: async (owner, { app, clock }) => {
    const { service } = app.context;
    const { id: userId } = await service.prisma.merchantUser.findFirstOrThrow({
      where: { email: owner.email, removedAt: null },
    });
    const [token, now] = [newToken(), clock.now()];
    const link = { tokenHash: sha256(token), createdAt: now, expiresAt: minutesAfter(now, 60) };
    await service.prisma.emailChange.create({ data: { userId, email: 'next-owner@shop.example', ...link } });
    return { input: { token } };
  },
  changePassword: async () => ({ input: { password, newPassword } }),
  confirmTwoFactorSetup: async (owner, { clock }) => {
    const { secret } = await mutate(owner, 'beginTwoFactorSetup', { password }, 'secret');
    return { input: { code: authenticatorCode(secret, clock.now()) } };
  },
  regenerateRecoveryCodes: async (owner, { clock }) => {
    const { secret } = await enableTwoFactor(owner, { password, clock });
    return { input: { code: authenticatorCode(secret, clock.now(), 1) } };
  },
  disableTwoFactor: async (owner, { clock }) => {
    const { secret } = await enableTwoFactor(owner, { password, clock });
    return { input: { password, code: authenticatorCode(secret, clock.now(), 1) } };
  },
  signOutEverywhere: async () => ({ input: { keepCurrent: true } }),
  resetPassword: async (owner, { app, clock }) => {
    const visitor = createVisitor(app.app);
    await mutateAsPage(visitor, 'requestPasswordReset', { email: owner.email });
    await processResetRequests(app.context.service, { now: clock.now() });
    const token = await readLinkToken(app.context.service, owner.email, 'password-reset');
    return { input: { token, newPassword }, as: visitor };
  },
};

test.for(Object.keys(ownMutations))(
  '%s creates an audit entry with user, object and address',
  async (operation, { app, clock }) => {
    const { prisma } = app.context.service;
    const owner = await signInAs('owner', app, app.merchant);
    const user = await prisma.merchantUser.findFirstOrThrow({ where: { email: owner.email } });
    const { input, as = owner } = await ownMutations[operation]!(owner, { app, clock });
    const entries = await collectAuditEntries(app.context.service, async () => {
      const response: Json = await (as === owner ? mutate : mutateAsPage)(as, operation, input);
      expect(response.__typename, JSON.stringify(response)).toMatch(/Success$/);
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
  },
);

const byKeys = [
  'createCertificate',
  'revokeCertificate',
  'createWebhook',
  'updateWebhook',
  'rotateWebhookSecret',
];

test.for([...byKeys, 'deleteWebhook'])(
  '%s by a key creates an audit entry with key and address',
  async (operation, { app, clock }) => {
    const { input } = await ownMutations[operation]!(await signInAs('owner', app, app.merchant), {
      app,
      clock,
    });
    const entries = await collectAuditEntries(app.context.service, async () => {
      expect((await mutate(app, operation, input)).__typename).toMatch(/Success$/);
    });
    expect(entries).toMatchObject([
      { action: ownOperations[operation], actor: expect.stringMatching(/^key:key_/), ipAddress: '127.0.0.1' },
    ]);
  },
);

const list = `query ($after: String) {
  auditEntries(first: 3, after: $after) {
    nodes { id action actor { kind objectId name } ipAddress mode objectId detailsJson createdAt }
    pageInfo { hasNextPage endCursor }
  }
}`;

const newest = async (owner: SignedInUser) => (await owner.ask(list)).data.auditEntries.nodes[0];

const settings = (markup: string) => `mutation {
  updateMerchantSettings(input: { exchangeRateMarkup: "${markup}" }) { __typename ... on UserError { code } } }`;

describe('auditEntries', () => {
  const test = fakeTimeGraphqlTest
    .extend('merchant', ({ service }) => seedMerchant(service))
    .extend('owner', ({ app, merchant }) => signInAs('owner', app, merchant));

  test('returns actor, action, time, address and the previous values', async ({ app, merchant, owner }) => {
    await owner.ask(settings('0.01'));
    await owner.ask(settings('0.02'));
    const { data: viewer } = await owner.ask('{ viewer { user { id } } me { id } }');
    expect(await newest(owner)).toMatchObject({
      action: 'settings.updated',
      actor: { kind: 'user', objectId: viewer.viewer.user.id, name: owner.email },
      ipAddress: owner.address,
      mode: null,
      objectId: viewer.me.id,
    });
    expect(JSON.parse((await newest(owner)).detailsJson)).toEqual({ markup: { from: '0.01', to: '0.02' } });
    await app.ask(settings('0.03'), { as: merchant.keys.live });
    expect(await newest(owner)).toMatchObject({
      actor: { kind: 'api_key', objectId: expect.stringMatching(/^key_/), name: 'First key' },
      ipAddress: '127.0.0.1',
    });
  });

  test('has no entry for a change without effect or a rejected change', async ({ owner }) => {
    await owner.ask(settings('0.04'));
    const before = await newest(owner);
    await owner.ask(settings('0.04'));
    await owner.ask(settings('0.3'));
    expect(await newest(owner)).toEqual(before);
  });

  test('starts with the merchant and its owner, and pages without a gap', async ({ owner }) => {
    for (const markup of ['0.05', '0.06']) await owner.ask(settings(markup));
    const ids = await readAllPages(async (after) => {
      const { data } = await owner.ask(list, { variables: { after } });
      const { nodes, pageInfo } = data.auditEntries;
      return {
        ids: nodes.map(({ action }: Json) => action),
        cursor: pageInfo.endCursor,
        hasMore: pageInfo.hasNextPage,
      };
    });
    expect(ids.length).toBeGreaterThan(3);
    expect(ids.slice(-2)).toEqual(['user.created', 'merchant.created']);
    const total = await owner.ask('{ auditEntries { totalCount } }');
    expect(total.data.auditEntries.totalCount).toBe(ids.length);
  });

  test('is readable for owners and keys that manage, without entries of the other mode and other merchants', async ({
    app,
    merchant,
    owner,
  }) => {
    const query = '{ auditEntries { totalCount } }';
    for (const role of ['developer', 'support'] as const) {
      const visitor = await signInAs(role, app, merchant);
      const { errors } = await visitor.ask(query, { mode: 'sandbox' });
      expect(errors[0].extensions.code).toBe('permission_denied');
    }
    expect((await app.ask(query, { as: merchant.keys.live })).data.auditEntries.totalCount).toBeGreaterThan(
      0,
    );
    await owner.ask('mutation { createApiKey(input: { name: "Try", kind: secret }) { __typename } }', {
      mode: 'sandbox',
    });
    const actions = async (mode: 'live' | 'sandbox') =>
      (await owner.ask('{ auditEntries { nodes { action } } }', { mode })).data.auditEntries.nodes.map(
        ({ action }: Json) => action,
      );
    expect(await actions('sandbox')).toContain('api_key.created');
    expect(await actions('live')).not.toContain('api_key.created');
    const { sandbox } = merchant.keys;
    const bySandboxKey = await app.ask('{ auditEntries(first: 50) { nodes { mode } } }', { as: sandbox });
    const modes = bySandboxKey.data.auditEntries.nodes.map(({ mode }: Json) => mode);
    expect(new Set(modes)).toEqual(new Set(['sandbox']));
    const entry = await newest(owner);
    const byStranger = await app.ask('query ($id: ID!) { auditEntry(id: $id) { id } node(id: $id) { id } }', {
      variables: { id: entry.id },
      as: app.otherMerchant.keys.live,
    });
    expect(byStranger.data).toEqual({ auditEntry: null, node: null });
  });

  test('is filtered by action, actor, object and time', async ({ app, clock, merchant, owner }) => {
    const query =
      'query ($f: AuditEntryFilter) { auditEntries(filter: $f, first: 50) { totalCount nodes { action objectId } } }';
    const entries = (filter: object) => owner.ask(query, { variables: { f: filter } });
    await mutate(owner, 'inviteUser', { email: 'one@example.com', role: 'support' });
    const tenMinutesLater = minutesAfter(noon, 10);
    clock.set(new Date(tenMinutesLater.getTime() + 500));
    await mutate(owner, 'inviteUser', { email: 'two@example.com', role: 'support' });
    const { data } = await entries({ actions: ['user.invited'] });
    expect(data.auditEntries.totalCount).toBe(2);
    const [{ objectId }] = data.auditEntries.nodes;
    const counted = async (filter: object) => (await entries(filter)).data.auditEntries.totalCount;
    expect(await counted({ actions: ['user.*'], objectId })).toBe(1);
    expect(await counted({ actions: ['webhook.*'] })).toBe(0);
    expect(await counted({ actions: ['user.invited'], createdFrom: minutesAfter(noon, 5) })).toBe(1);
    expect(await counted({ actions: ['user.invited'], createdTo: minutesAfter(noon, 5) })).toBe(1);
    expect(await counted({ actions: ['user.invited'], createdTo: tenMinutesLater })).toBe(2);
    const justBefore = new Date(tenMinutesLater.getTime() - 1);
    expect(await counted({ actions: ['user.invited'], createdTo: justBefore })).toBe(1);
    expect(await counted({ actions: ['user.invited'], actorKind: 'operator' })).toBe(0);
    expect(await counted({ actorKind: 'operator' })).toBeGreaterThan(0);
    expect(await counted({ actions: ['user.invited'], actorKind: 'user' })).toBe(2);
    const { data: viewer } = await owner.ask('{ viewer { user { id } } apiKeys { nodes { id } } }');
    const actorId = viewer.viewer.user.id;
    expect(await counted({ actions: ['user.invited'], actorId })).toBe(2);
    expect(await counted({ actions: ['user.invited'], actorId, actorKind: 'api_key' })).toBe(0);
    expect(await counted({ actorId: 'usr_other', createdFrom: noon })).toBe(0);
    expect(await counted({ actorKind: 'customer', createdFrom: noon })).toBe(0);
    await transact(app.context.service, (uow) =>
      recordAudit(uow, {
        ...{ merchantId: merchant.merchant.id, actor: 'operator:usr_op', action: 'user.updated' },
        ...{ objectId: actorId, now: noon },
      }),
    );
    expect(await counted({ actorId: 'usr_op' })).toBe(1);
    const keyId = viewer.apiKeys.nodes.at(-1).id;
    expect(await counted({ actorId: keyId })).toBe(await counted({ actorId: keyId, actorKind: 'api_key' }));
    const { errors } = await entries({ actions: ['user.*', 'tea.*'] });
    expect(errors[0].extensions.errors).toEqual([
      { path: '/filter/actions/1', message: 'is not a known action: tea.*' },
    ]);
  });
});
