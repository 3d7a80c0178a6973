import type { Charge, Message, Mode, Refund, Transfer } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { Db, Tx } from '../../../kit/db.ts';
import { toJsonNumber } from '../../../kit/money.ts';
import type { Secrets } from '../../../kit/secrets.ts';
import { decryptContent } from '../../../message/message-content.ts';
import type { CustomerDetails } from '../../payments/customer/customer-input.ts';
import { lockCustomer } from '../../payments/customer/lock-customer.ts';
import { toCustomerView } from '../../payments/customer/to-customer-view.ts';
import { decryptPayoutDetails } from '../../payments/refund/decrypt-payout-details.ts';
import { toMetadataMember } from '../../platform/metadata.ts';
import { type OrderLine, toOrderLineJson } from '../../platform/order-line.ts';
import { exportFeedDeliveries } from './export-feed-deliveries.ts';
import { findCustomerRows } from './find-customer-rows.ts';

/** The data stored about a customer, as JSON. Amounts are in major units, times in ISO 8601. */
type CustomerExport = {
  customer: { id: string; merchantId: string; mode: Mode; createdAt: Date; note?: string } & CustomerDetails;
  charges: object[];
  transfers: object[];
  feedDeliveries: object[];
  sessions: object[];
  checkoutLinks: object[];
  subscriptions: object[];
  subscriptionLinks: object[];
  messages: object[];
};

/**
 * Returns the data stored about a customer, for example to answer the customer's request for it. Throws
 * `customer_not_found`.
 */
export async function exportCustomer(
  db: Db & { secrets: Secrets },
  options: { id: string },
): Promise<CustomerExport> {
  return transact(db, async ({ tx }) => {
    const customer = await lockCustomer(tx, options.id);
    const { id, merchantId, mode, email, phone, firstName, lastName, note, createdAt } = customer;
    const rowIds = await findCustomerRows(tx, customer);
    const { chargeIds, sessionIds, checkoutLinkIds, transferIds, messageIds } = rowIds;
    const orderById = { orderBy: { id: 'asc' } } as const;
    const prefillQuery = {
      select: { id: true, customer: true, metadata: true, createdAt: true },
      ...orderById,
    } as const;
    const charges = await tx.charge.findMany({
      where: { id: { in: chargeIds } },
      include: { refunds: orderById },
      ...orderById,
    });
    const transfers = await tx.transfer.findMany({
      where: { id: { in: transferIds } },
      orderBy: [{ paidAt: 'asc' }, { id: 'asc' }],
    });
    const messages = await tx.message.findMany({ where: { id: { in: messageIds } }, ...orderById });
    return {
      customer: {
        id,
        merchantId,
        mode,
        ...omitNulls({ email, phone, firstName, lastName, note }),
        createdAt,
      },
      charges: await Promise.all(charges.map((charge) => toChargeJson(charge, db.secrets))),
      transfers: transfers.map(toTransferJson),
      feedDeliveries: await exportFeedDeliveries(tx, { merchantId, mode, transferIds, secrets: db.secrets }),
      sessions: await tx.checkoutSession.findMany({ where: { id: { in: sessionIds } }, ...prefillQuery }),
      checkoutLinks: await tx.checkoutLink.findMany({
        where: { id: { in: checkoutLinkIds } },
        ...prefillQuery,
      }),
      subscriptions: await exportSubscriptions(tx, rowIds.subscriptionIds),
      subscriptionLinks: await tx.subscriptionLink.findMany({
        where: { id: { in: rowIds.subscriptionLinkIds } },
        ...prefillQuery,
      }),
      messages: await Promise.all(messages.map((message) => toMessageJson(message, db.secrets))),
    };
  });
}

async function toChargeJson(charge: Charge & { refunds: Refund[] }, secrets: Secrets): Promise<object> {
  const { email, phone, firstName, lastName, language, notifyPayload, note, completedAt } = charge;
  const { customerCurrency, merchantCurrency } = charge;
  return {
    id: charge.id,
    status: charge.status,
    method: charge.method,
    ...omitNulls({ email, phone, firstName, lastName, language }),
    merchantAmount: toJsonNumber({ minor: charge.merchantAmount, currency: merchantCurrency }),
    merchantCurrency,
    customerAmount: toJsonNumber({ minor: charge.customerAmount, currency: customerCurrency }),
    customerCurrency,
    amountReceived: toJsonNumber({ minor: charge.amountReceived, currency: customerCurrency }),
    feeAmount: toJsonNumber({ minor: charge.feeAmount, currency: customerCurrency }),
    paymentReference: charge.paymentReference,
    orders: (charge.orders as OrderLine[]).map(toOrderLineJson),
    refunds: await Promise.all(charge.refunds.map((refund) => toRefundJson(refund, secrets))),
    ...omitNulls({ notifyPayload, note, completedAt }),
    ...toMetadataMember(charge.metadata),
    createdAt: charge.createdAt,
  };
}

async function toRefundJson(refund: Refund, secrets: Secrets): Promise<object> {
  const { id, status, customerAmount: minor, customerCurrency: currency, reason, note, createdAt } = refund;
  const payoutDetails = await decryptPayoutDetails(secrets, refund);
  return {
    id,
    status,
    customerAmount: toJsonNumber({ minor, currency }),
    ...omitNulls({ payoutDetails, reason, note }),
    ...toMetadataMember(refund.metadata),
    createdAt,
  };
}

async function toMessageJson(message: Message, secrets: Secrets): Promise<object> {
  const { id, channel, kind, recipient: to, subject, contentEncrypted, status, createdAt } = message;
  const text =
    contentEncrypted === null ? null : (await decryptContent(secrets, { id, contentEncrypted })).text;
  return { id, channel, kind, to, ...omitNulls({ subject, text }), status, createdAt };
}

function toTransferJson(transfer: Transfer): object {
  const { id, direction, status, amount, currency, reference, payerName, payerAccount, statementId } =
    transfer;
  const { paidAt, note } = transfer;
  return {
    id,
    direction,
    status,
    amount: toJsonNumber({ minor: amount, currency }),
    currency,
    reference,
    // `statementId` identifies the stored statement file, which contains the transfer as the bank wrote it.
    ...omitNulls({ payerName, payerAccount, statementId, note }),
    paidAt,
  };
}

function omitNulls<T extends Record<string, unknown>>(properties: T): { [K in keyof T]?: NonNullable<T[K]> } {
  const entries = Object.entries(properties).filter(([, value]) => value !== null);
  return Object.fromEntries(entries) as { [K in keyof T]?: NonNullable<T[K]> };
}

/**
 * Returns a customer's subscriptions as JSON, with amounts in major units and without their charges, which
 * are exported separately.
 */
async function exportSubscriptions(tx: Tx, ids: string[]): Promise<object[]> {
  const subscriptions = await tx.subscription.findMany({
    where: { id: { in: ids } },
    include: { plan: true, invoices: { orderBy: { id: 'asc' } } },
    orderBy: { id: 'asc' },
  });
  return subscriptions.map(({ plan, invoices, ...subscription }) => ({
    id: subscription.id,
    plan: plan.name,
    status: subscription.status,
    customer: toCustomerView(subscription),
    language: subscription.language,
    method: subscription.method,
    remindersDisabled: subscription.remindersDisabled,
    numPaymentsComplete: subscription.numPaymentsComplete,
    activeUntil: subscription.activeUntil,
    nextPayment: subscription.nextPayment,
    ...omitNulls({ pausedAt: subscription.pausedAt, resumesAt: subscription.resumesAt }),
    invoices: invoices.map(({ number, status, amount, currency, dueAt, paidAt }) => ({
      number,
      status,
      amount: toJsonNumber({ minor: amount, currency }),
      currency,
      dueAt,
      ...(paidAt && { paidAt }),
    })),
    ...toMetadataMember(subscription.metadata),
    createdAt: subscription.createdAt,
  }));
}
