import { addDays } from '../../src/domain/billing/subscription/calendar.ts';
import { createRefund } from '../../src/domain/payments/refund/create-refund.ts';
import { relayEvents } from '../../src/event/relay-events.ts';
import { type IdType, newId } from '../../src/kit/id.ts';
import { seedCheckoutLink, seedSession } from './checkout.ts';
import { seedBankFeed } from './feeds.ts';
import type { GraphqlApp } from './graphql.ts';
import { seedMail } from './messages.ts';
import { seedWebhook } from './notifications.ts';
import { seedCharge } from './seed.ts';
import { seedActiveSubscription, seedPlan } from './subscriptions.ts';
import { payCharge } from './transfers.ts';

/**
 * Creates one live object of each type around one charge, and returns the IDs by type. Objects that the
 * application does not create in tests are inserted directly.
 */
export async function seedOneOfEachType(app: GraphqlApp): Promise<Partial<Record<IdType, string>>> {
  const { context, merchant: newMerchant } = app;
  const { service } = context;
  const { prisma } = service;
  const now = new Date(context.clock.now());
  const { merchant } = newMerchant;
  const owner = { merchantId: merchant.id, mode: 'live' as const };
  const webhook = await seedWebhook(service, newMerchant, { notificationVersion: '1.0' });
  const session = await seedSession(service, newMerchant, { input: { amount: 5, currency: 'HKD' }, now });
  const link = await seedCheckoutLink(service, newMerchant, { now });
  const plan = await seedPlan(service, newMerchant, { now });
  const subscription = await seedActiveSubscription(service, newMerchant, { plan, now });
  const invoice = await prisma.invoice.create({
    data: {
      ...owner,
      id: newId('invoice', now),
      subscriptionId: subscription.id,
      number: 1,
      amount: 100n,
      currency: 'HKD',
      ...{ period: 'months', count: 1, periodStart: now, periodEnd: addDays(now, 30) },
      merchantName: 'Harbour Teas',
      merchantAddress: '',
      planName: 'Tea',
      orders: [],
      dueAt: now,
      createdAt: now,
      updatedAt: now,
    },
  });
  const charge = await seedCharge(service, newMerchant, { input: { orders: [{ name: 'Tea' }] }, now });
  await prisma.charge.update({
    where: { id: charge.id },
    data: {
      sessionId: session.id,
      checkoutLinkId: link.id,
      subscriptionId: subscription.id,
      invoiceId: invoice.id,
    },
  });
  await payCharge(service, newMerchant, charge, { now });
  const { refund } = await createRefund(service, {
    ...owner,
    actor: 'key:test',
    input: { chargeId: charge.id, customerAmount: 1 },
    now,
  });
  const allocation = await prisma.allocation.findFirstOrThrow({ where: { chargeId: charge.id } });
  const { receivingAccountId } = charge;
  const user = await prisma.merchantUser.findFirstOrThrow({ where: { merchantId: merchant.id } });
  const payout = await prisma.refundPayout.create({
    data: {
      ...owner,
      id: newId('payout', now),
      refundId: refund.id,
      receivingAccountId,
      reference: 'RF1',
      amount: 100n,
      currency: 'HKD',
      paidAt: now,
      actor: `user:${user.id}`,
      createdAt: now,
    },
  });
  await relayEvents(service, { now });
  const notification = await prisma.notification.findFirstOrThrow({ where: { webhookId: webhook.id } });
  const attempt = await prisma.notificationAttempt.create({
    data: {
      id: newId('attempt', now),
      notificationId: notification.id,
      number: 1,
      startedAt: now,
      durationMs: 3,
    },
  });
  const statement = await prisma.statement.create({
    data: {
      ...owner,
      id: newId('statement', now),
      receivingAccountId,
      format: 'camt.053',
      fileName: 'march.xml',
      fileHash: 'hash',
      importedBy: `user:${user.id}`,
      resultCounts: {},
      createdAt: now,
    },
  });
  const invitation = await prisma.userInvitation.create({
    data: {
      id: newId('userInvitation', now),
      merchantId: merchant.id,
      email: 'invited@example.com',
      role: 'support',
      tokenHash: 'hash',
      invitedBy: 'operator',
      createdAt: now,
      sentAt: now,
      expiresAt: now,
    },
  });
  const userSession = await prisma.userSession.create({
    data: {
      id: newId('userSession', now),
      tokenHash: 'hash',
      userId: user.id,
      lastSeenAt: now,
      createdAt: now,
      expiresAt: now,
    },
  });
  const exportRow = await prisma.export.create({
    data: {
      ...owner,
      id: newId('export', now),
      kind: 'charges',
      format: 'csv',
      options: {},
      fileName: 'charges.csv',
      createdBy: 'user:test',
      createdAt: now,
      expiresAt: new Date(now.getTime() + 3_600_000),
    },
  });
  const alert = await prisma.alert.create({
    data: {
      ...owner,
      id: newId('alert', now),
      kind: 'endpoint_failing',
      webhookId: webhook.id,
      notificationId: notification.id,
      receivingAccountId,
      url: webhook.url,
      detail: 'the endpoint responded with 500',
      dedupeKey: 'test',
      createdAt: now,
    },
  });
  const feed = await seedBankFeed(service, newMerchant, { receivingAccountId, now });
  const delivery = await prisma.feedDelivery.create({
    data: {
      ...owner,
      id: newId('feedDelivery', now),
      feedId: feed.id,
      status: 'failed',
      reason: 'unknown_account',
      detail: '0123499999',
      ipAddress: '203.0.113.7',
      size: 2,
      bodyHash: 'hash',
      results: [
        {
          ...{ id: '7', status: 'matched', amount: '5', currency: 'HKD', direction: 'credit' },
          transferId: allocation.transferId,
        },
      ],
      transferIds: [allocation.transferId],
      createdAt: now,
    },
  });
  await prisma.alert.update({ where: { id: alert.id }, data: { bankFeedId: feed.id } });
  const message = await seedMail(service, { merchantId: merchant.id });
  const find = { where: owner, select: { id: true } };
  return {
    charge: charge.id,
    refund: refund.id,
    session: session.id,
    checkoutLink: link.id,
    plan: plan.id,
    subscription: subscription.id,
    invoice: invoice.id,
    customer: charge.customerId,
    transfer: allocation.transferId,
    allocation: allocation.id,
    receivingAccount: receivingAccountId,
    statement: statement.id,
    bankFeed: feed.id,
    feedDelivery: delivery.id,
    webhook: webhook.id,
    event: notification.eventId,
    notification: notification.id,
    attempt: attempt.id,
    ...(message && { message }),
    alert: alert.id,
    certificate: (await prisma.certificate.findFirstOrThrow(find)).id,
    merchant: merchant.id,
    apiKey: (await prisma.apiKey.findFirstOrThrow(find)).id,
    audit: (await prisma.auditEntry.findFirstOrThrow(find)).id,
    export: exportRow.id,
    userInvitation: invitation.id,
    userSession: userSession.id,
    payout: payout.id,
    user: user.id,
  };
}
