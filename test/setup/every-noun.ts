import { createRefund } from '../../src/domain/payments/refund/create-refund.ts';
import { relayEvents } from '../../src/event/relay-events.ts';
import { type IdNoun, newId } from '../../src/kit/id.ts';
import { makeCheckoutLink, makeSession } from './checkout.ts';
import type { GraphqlApp } from './graphql.ts';
import { makeCharge } from './makers.ts';
import { makeMail } from './messages.ts';
import { makeWebhook } from './notifications.ts';
import { makeActiveSubscription, makePlan } from './subscriptions.ts';
import { payCharge } from './transfers.ts';

/**
 * One live object of every noun, all around one charge: it was made from a session and a link, pays an invoice, is paid
 * by a transfer and refunded. Answers their ids by noun. What no user of this application makes by hand in a test is
 * copied into the database as it would stand there.
 */
export async function everyNoun(app: GraphqlApp): Promise<Partial<Record<IdNoun, string>>> {
  const { context, merchant: made } = app;
  const { service } = context;
  const { prisma } = service;
  const now = new Date(context.clock.now());
  const { merchant } = made;
  const owner = { merchantId: merchant.id, mode: 'live' as const };
  const webhook = await makeWebhook(service, made, { notificationVersion: '1.0' });
  const session = await makeSession(service, made, { input: { amount: 5, currency: 'HKD' }, now });
  const link = await makeCheckoutLink(service, made, { now });
  const plan = await makePlan(service, made, { now });
  const subscription = await makeActiveSubscription(service, made, { plan, now });
  const invoice = await prisma.invoice.create({
    data: {
      ...owner,
      id: newId('invoice', now),
      subscriptionId: subscription.id,
      number: 1,
      amount: 100n,
      currency: 'HKD',
      merchantName: 'Harbour Teas',
      merchantAddress: '',
      planName: 'Tea',
      orders: [],
      dueOn: now,
      createdAt: now,
      updatedAt: now,
    },
  });
  const charge = await makeCharge(service, made, { input: { orders: [{ name: 'Tea' }] }, now });
  await prisma.charge.update({
    where: { id: charge.id },
    data: {
      sessionId: session.id,
      checkoutLinkId: link.id,
      subscriptionId: subscription.id,
      invoiceId: invoice.id,
    },
  });
  await payCharge(service, made, charge, { now });
  const { refund } = await createRefund(service, {
    ...owner,
    actor: 'key:test',
    input: { chargeId: charge.id, customerAmount: 1 },
    now,
  });
  const allocation = await prisma.allocation.findFirstOrThrow({ where: { chargeId: charge.id } });
  const { receivingAccountId } = charge;
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
      actor: 'user:test',
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
      importedBy: 'user:test',
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
  const user = await prisma.merchantUser.findFirstOrThrow({ where: { merchantId: merchant.id } });
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
  const exported = await prisma.export.create({
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
      url: webhook.url,
      detail: 'the endpoint responded with 500',
      dedupeKey: 'test',
      createdAt: now,
    },
  });
  const message = await makeMail(service, { merchantId: merchant.id });
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
    export: exported.id,
    userInvitation: invitation.id,
    userSession: userSession.id,
    payout: payout.id,
    user: user.id,
  };
}
