import { beforeAll, describe, expect, test } from 'vitest';
import { schema } from '../../schema/schema.ts';
import { renewSubscriptions } from '../../src/domain/billing/subscription/renew-subscriptions.ts';
import { createRefund } from '../../src/domain/payments/refund/create-refund.ts';
import { auditActions } from '../../src/domain/platform/audit/record-audit.ts';
import { storeUpload } from '../../src/domain/platform/upload/store-upload.ts';
import { relayEvents } from '../../src/event/relay-events.ts';
import { dayMs } from '../../src/kit/duration.ts';
import { newId } from '../../src/kit/id.ts';
import { operations } from '../../src/rest/operations.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { collectAuditEntries } from '../setup/database-state.ts';
import { createFakeClock } from '../setup/fake-clock.ts';
import { type GraphqlApp, type Json, setupGraphqlApp } from '../setup/graphql.ts';
import { seedWebhook } from '../setup/notifications.ts';
import { minutesAfter, noon, seedCharge } from '../setup/seed.ts';
import { type SignedInUser, signInAs } from '../setup/sign-in.ts';
import { toChunks } from '../setup/statement-files.ts';
import { seedActiveSubscription, seedPlan } from '../setup/subscriptions.ts';
import { payCharge } from '../setup/transfers.ts';
import { ownOperations, sharedOperations, withoutEntry, withoutObject } from './audited-mutations.ts';

const onCleanup = cleanupAfterFile();

/** Every change by merchants' users, operators and keys stands in the audit trail: who, what, when, from where. */

let app: GraphqlApp;
let owner: SignedInUser;

beforeAll(async () => {
  app = await setupGraphqlApp(onCleanup, { clock: createFakeClock(noon) });
  owner = await signInAs('owner', app, app.merchant);
});

test('Every mutation and every writing route has an audit entry, or a reason why it has none', () => {
  const mutations = Object.keys(schema.getMutationType()!.getFields());
  const routes = Object.entries(operations)
    .filter(([route]) => !route.startsWith('GET '))
    .map(([, { operationId }]) => operationId)
    // A file by itself changes nothing: its import is written down.
    .filter((name) => name !== 'uploadFile');
  const known = [
    ...Object.keys(sharedOperations),
    ...Object.keys(ownOperations),
    ...Object.keys(withoutEntry),
  ];
  expect([...new Set([...mutations, ...routes])].sort()).toEqual(known.sort());
  expect(
    [...Object.values(sharedOperations), ...Object.values(ownOperations)].filter(
      (action) => !auditActions.includes(action as never),
    ),
  ).toEqual([]);
});

const entriesOf = (change: () => Promise<unknown>) => collectAuditEntries(app.context.service, change);

const pending = (email: string, mode: 'live' | 'sandbox' = 'live') =>
  seedCharge(app.context.service, app.merchant, { mode, input: { email }, now: noon });

/** What each of the audited operations needs: the input of its mutation. The sandbox's are done in the sandbox. */
const inputs: Record<string, () => Promise<{ input: string; sandbox?: true }>> = {
  async advanceTestClock() {
    return { input: `advanceTo: "${minutesAfter(noon, 1).toISOString()}"`, sandbox: true };
  },
  cancelCharge: async () => ({ input: `id: "${(await pending('cancel@example.com')).id}"` }),
  cancelRefund: async () => ({ input: `id: "${await refund()}"` }),
  cancelSession: async () => ({ input: `id: "${await made('createSession')}"` }),
  cancelSubscription: async () => ({ input: `id: "${(await subscription()).id}"` }),
  changeSubscriptionMethod: async () => ({ input: `id: "${(await subscription()).id}", method: fps` }),
  closeCheckoutLink: async () => ({ input: `id: "${await made('createCheckoutLink')}"` }),
  completeRefund: async () => ({ input: `id: "${await processing()}"` }),
  completeSandboxCharge: async () => ({
    input: `id: "${(await pending('box@example.com', 'sandbox')).id}"`,
    sandbox: true,
  }),
  createCharge: async () => ({
    input: 'email: "by-hand@example.com", merchantAmount: "5", merchantCurrency: "HKD", method: fps',
  }),
  createCheckoutLink: async () => ({ input: 'amount: "5", currency: "HKD"' }),
  createRefund: async () => ({ input: `chargeId: "${await paid()}", customerAmount: "1"` }),
  createSession: async () => ({ input: 'amount: "5", currency: "HKD"' }),
  createSubscriptionLink: async () => ({ input: `subscriptionPlanId: "${(await plan()).id}"` }),
  createSubscriptionPlan: async () => ({
    input: 'name: "Tea", currency: "HKD", recurringPayment: { amount: "5", period: months, count: 1 }',
  }),
  async dismissAlert() {
    const { prisma } = app.context.service;
    const { id: webhookId, url } = await seedWebhook(app.context.service, app.merchant, {});
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
  enrol: async () => ({
    input: `subscriptionPlanId: "${(await plan()).id}", method: fps, customer: { email: "eve@example.com" }`,
  }),
  async importStatement() {
    const { receivingAccountId } = await pending('file@example.com');
    const own = { merchantId: app.merchant.merchant.id, mode: 'live', actor: 'user:test' } as const;
    const source = toChunks('Date,Amount,Text\n2026-11-17,1.00,none\n', 1000);
    const file = { ...own, fileName: 'day.csv', source, now: noon };
    const upload = await storeUpload(app.context.service, file);
    return {
      input: `receivingAccountId: "${receivingAccountId}", uploadId: "${upload.id}", mapping: ${mapping}`,
    };
  },
  async payInvoice() {
    const { service } = app.context;
    const { id: subscriptionId } = await subscription();
    await renewSubscriptions(service, { now: new Date(noon.getTime() + 40 * dayMs) });
    const invoice = await service.prisma.invoice.findFirstOrThrow({
      where: { subscriptionId, status: 'open' },
    });
    return { input: `id: "${invoice.id}", method: hk_bank_transfer` };
  },
  async resendNotification() {
    const { service } = app.context;
    await seedWebhook(service, app.merchant, { notificationVersion: '1.0' });
    await pending('told@example.com');
    await relayEvents(service, { now: noon });
    const { id } = await service.prisma.notification.findFirstOrThrow({
      where: { merchantId: app.merchant.merchant.id, mode: 'live' },
    });
    return { input: `id: "${id}"` };
  },
  simulateTransfer: async () => ({
    input: `chargeId: "${(await pending('money@example.com', 'sandbox')).id}", kind: exact`,
    sandbox: true,
  }),
  updateStatementMapping: async () => ({
    input: `receivingAccountId: "${(await pending('map@example.com')).receivingAccountId}", mapping: ${mapping}`,
  }),
  reopenRefund: async () => ({ input: `id: "${await processing()}", reason: "no such account"` }),
  replayNotifications: async () => ({ input: 'createdFrom: "2026-01-01T00:00:00Z"' }),
  submitRefundDetails: async () => ({ input: `id: "${await refund()}", ${details}` }),
  updateSubscriptionPlan: async () => ({ input: `id: "${(await plan()).id}", name: "More tea"` }),
  recordTransfers: async () => ({
    input: `transfers: [{ bankReference: "audit-1", receivingAccountId: "${(await pending('to@example.com')).receivingAccountId}", amount: "1", currency: "HKD", reference: "none", paidAt: "${noon.toISOString()}" }]`,
  }),
  sendTestNotification: async () => ({
    input: `webhookId: "${(await seedWebhook(app.context.service, app.merchant, {})).id}"`,
  }),
};

const mapping = `{ encoding: "utf-8", delimiter: ",", skipLines: 0, hasHeader: true, footerRows: 0, decimalMark: ".",
  dateOrder: ymd, hasBuddhistYears: false, dateColumn: "Date", amountFormat: signed, amountColumn: "Amount", referenceColumns: ["Text"] }`;
const details = 'bank: "004", account: "12345678", accountName: "Ada Lovelace"';
const plan = () => seedPlan(app.context.service, app.merchant, { now: noon });
const subscription = async () =>
  seedActiveSubscription(app.context.service, app.merchant, {
    plan: await plan(),
    now: noon,
  });

/** The object of the entry, where a result has several. */
const subjects: Record<string, string> = { enrol: 'subscription' };

async function made(operation: string): Promise<string> {
  const { input } = await inputs[operation]!();
  const answer = await ask(operation, input);
  return answer.id;
}

async function paid(): Promise<string> {
  const { service } = app.context;
  const charge = await pending(`${crypto.randomUUID()}@example.com`);
  await payCharge(service, app.merchant, charge, { now: noon });
  return charge.id;
}

async function refund(): Promise<string> {
  const { merchant } = app.merchant;
  const own = {
    merchantId: merchant.id,
    mode: 'live' as const,
    actor: 'key:test',
    now: noon,
  };
  const input = { chargeId: await paid(), customerAmount: 1 };
  return (await createRefund(app.context.service, { ...own, input })).refund.id;
}

async function processing(): Promise<string> {
  const id = await refund();
  await ask('submitRefundDetails', `id: "${id}", ${details}`);
  return id;
}

/** Asks as the owner (or the sandbox key); answers what the success holds. */
async function ask(operation: string, input: string, sandbox?: true): Promise<Json> {
  const success = `${operation[0]!.toUpperCase()}${operation.slice(1)}Success`;
  const fields = (schema.getType(success) as Json).getFields() as Record<string, { type: Json }>;
  const hasId = (type: Json): boolean => 'id' in ((type.ofType ?? type).getFields?.() ?? {});
  const name = subjects[operation] ?? Object.keys(fields).find((field) => hasId(fields[field]!.type));
  const text = `mutation { ${operation}(input: { ${input} }) {
    __typename ... on ${success} { ${name ? `${name} { id }` : '__typename'} } ... on UserError { code message } } }`;
  const { data, errors } = sandbox
    ? await app.ask(text, { as: app.merchant.keys.sandbox })
    : await owner.ask(text);
  expect(errors, text).toBeUndefined();
  expect(data[operation], text).toMatchObject({ __typename: success });
  return name ? data[operation][name] : {};
}

describe('An operation shared with customers has one audit entry when a key or user acts for the merchant', () => {
  test('Every shared operation has a test', () => {
    expect(Object.keys(inputs).sort()).toEqual(Object.keys(sharedOperations).sort());
  });

  test.each(Object.keys(inputs))('%s is recorded with its object, actor and address', async (operation) => {
    const { input, sandbox } = await inputs[operation]!();
    let object: Json;
    const entries = await entriesOf(async () => {
      object = await ask(operation, input, sandbox);
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
    const isClock = operation === 'advanceTestClock';
    // A test clock is no row of its own, but a part of the merchant's.
    expect(entries[0]!.objectId === null).toBe(withoutObject.includes(operation));
    if (object.id) expect(entries[0]!.objectId).toBe(isClock ? app.merchant.merchant.id : object.id);
  });
});

test('a clock that is not moved leaves no entry', async () => {
  const text = `mutation { advanceTestClock(input: { advanceTo: "2020-01-01T00:00:00Z" }) {
    ... on UserError { code } } }`;
  const entries = await entriesOf(async () => {
    const { data } = await app.ask(text, { as: app.merchant.keys.sandbox });
    expect(data).toEqual({ advanceTestClock: { code: 'invalid_request' } });
  });
  expect(entries).toEqual([]);
});
