import { readFileSync } from 'node:fs';
import { buildSchema, type GraphQLFieldMap } from 'graphql';
import { describe, expect, test } from 'vitest';

/** The names that integrators were promised: none may be missing, whatever is added. */

const schema = buildSchema(readFileSync(new URL('../../schema/schema.graphql', import.meta.url), 'utf8'));
const list = (text: string) => text.trim().split(/\s+/);
const missingFrom = (fields: GraphQLFieldMap<unknown, unknown> | undefined, names: string[]) =>
  names.filter((name) => !Object.hasOwn(fields ?? {}, name));

/** Every type, with its pair of queries. Those without a list are found within the objects they belong to. */
const pairs: Record<string, [one: string, many?: string]> = {
  Charge: ['charge', 'charges'],
  Refund: ['refund', 'refunds'],
  CheckoutSession: ['session', 'sessions'],
  CheckoutLink: ['checkoutLink', 'checkoutLinks'],
  Customer: ['customer', 'customers'],
  SubscriptionPlan: ['subscriptionPlan', 'subscriptionPlans'],
  SubscriptionContract: ['subscription', 'subscriptions'],
  Invoice: ['invoice', 'invoices'],
  Transfer: ['transfer', 'transfers'],
  Allocation: ['allocation'],
  ReceivingAccount: ['receivingAccount', 'receivingAccounts'],
  Statement: ['statement', 'statements'],
  Webhook: ['webhook', 'webhooks'],
  Notification: ['notification', 'notifications'],
  NotificationAttempt: ['notificationAttempt'],
  Certificate: ['certificate', 'certificates'],
  ApiKey: ['apiKey', 'apiKeys'],
  Merchant: ['merchant', 'merchants'],
  MerchantUser: ['user', 'users'],
  Event: ['event', 'events'],
  AuditEntry: ['auditEntry', 'auditEntries'],
  Export: ['export', 'exports'],
  TestClock: ['testClock'],
};

const mutations = list(`
  createCharge cancelCharge completeSandboxCharge createChargeHash createCheckoutLink closeCheckoutLink createSession
  cancelSession createRefund cancelRefund completeRefund reopenRefund submitRefundDetails createSubscriptionPlan
  updateSubscriptionPlan createSubscriptionLink enrol payInvoice changeSubscriptionMethod cancelSubscription
  createReceivingAccount updateReceivingAccount recordTransfers simulateTransfer assignTransfer splitTransfer
  returnTransfer previewStatement importStatement createExport createWebhook updateWebhook deleteWebhook
  sendTestNotification resendNotification replayNotifications createCertificate revokeCertificate createApiKey
  rotateApiKey revokeApiKey requestRestrictedAccess advanceTestClock requestPhoneVerification verifyPhone
  updateMerchantSettings signIn signOut inviteUser updateUser`);

const liveFields: Record<string, string[]> = {
  chargeUpdated: ['id'],
  chargesUpdated: [],
  sessionUpdated: ['id'],
  refundUpdated: ['id'],
  subscriptionUpdated: ['id'],
  notificationUpdated: ['id'],
};

describe('the names of the GraphQL interface', () => {
  test('every type is there, and a Node', () => {
    const nodes = schema.getImplementations(schema.getType('Node') as never).objects.map(({ name }) => name);
    expect(Object.keys(pairs).filter((name) => !nodes.includes(name))).toEqual([]);
  });

  test.each(Object.entries(pairs))('%s is asked for by %j', (type, [one, many]) => {
    const fields = schema.getQueryType()!.getFields();
    expect(String(fields[one]?.type)).toBe(type);
    if (!many) return;
    expect(String(fields[many]?.type)).toMatch(/Connection!?$/);
    expect(fields[many]?.args.map(({ name }) => name)).toEqual(expect.arrayContaining(['first', 'after']));
  });

  test('helpers, node and nodes', () => {
    const names = list('me paymentMethods currencies forex translation node nodes events');
    expect(missingFrom(schema.getQueryType()?.getFields(), names)).toEqual([]);
  });

  test('every mutation', () => {
    expect(missingFrom(schema.getMutationType()?.getFields(), mutations)).toEqual([]);
  });

  test('every live field', () => {
    const fields = schema.getSubscriptionType()!.getFields();
    for (const [name, args] of Object.entries(liveFields)) {
      expect(fields[name]?.args.map((arg) => arg.name)).toEqual(args);
    }
  });
});
