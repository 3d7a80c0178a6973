import type { Charge, Prisma, Subscription } from '../../../prisma/client/client.ts';
import type { NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import type { BillingTerms } from '../../../src/domain/billing/subscription/billing-schedule.ts';
import { cancelSubscription } from '../../../src/domain/billing/subscription/cancel-subscription.ts';
import { paySubscription } from '../../../src/domain/billing/subscription/pay-subscription.ts';
import { renewSubscriptions } from '../../../src/domain/billing/subscription/renew-subscriptions.ts';
import { recordChargeEvents } from '../../../src/domain/payments/charge/charge-events.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { transact } from '../../../src/event/unit-of-work.ts';
import { newId } from '../../../src/kit/id.ts';
import { newPaymentReference } from '../../../src/method/payment-reference.ts';
import { getErrorCode } from '../../setup/errors.ts';
import { completeCharge, readSubscription, seedPlan, seedSubscription } from '../../setup/subscriptions.ts';
import { type FirstPrice, readTimeline, writeDate } from './simulate.ts';

let played = 0;

/**
 * Plays a timeline as `playTimeline` does, but on the service and its database: with plans, enrolments, charges that
 * complete, and sweeps at the times the subscription is due at. What comes of it is read from rows and events.
 */
export async function playOnService(service: Service, merchant: NewMerchant, text: string): Promise<string> {
  const { head, terms, price, acts } = readTimeline(text);
  const log: string[] = [];
  let id: string | undefined;
  let told = 0;
  let reminded = new Set<string>();
  const owned = (now: Date) => ({
    ...{ merchantId: merchant.merchant.id, mode: 'sandbox' as const, id: id!, actor: 'customer', now },
  });

  const tellWhatCame = async (at: Date): Promise<void> => {
    const { lines, count } = await readEvents(service, id!, told);
    const invoices = await service.prisma.invoice.findMany({
      where: { subscriptionId: id!, remindedAt: { not: null } },
    });
    const isNew = invoices.some((invoice) => !reminded.has(invoice.id));
    if (isNew) lines.splice(lines.findLastIndex((line) => line.startsWith('invoice')) + 1, 0, 'reminder');
    log.push(...lines.map((line) => `${writeDate(at)} ${line}`));
    told = count;
    reminded = new Set(invoices.map((invoice) => invoice.id));
  };
  const runUntil = async (until: Date): Promise<void> => {
    for (;;) {
      const dueAt = id === undefined ? null : (await readSubscription(service, id)).dueAt;
      if (!dueAt || dueAt > until) return;
      await renewSubscriptions(service, { now: dueAt, only: merchant.merchant.id });
      await tellWhatCame(dueAt);
    }
  };
  const enrolAt = async (now: Date): Promise<void> => {
    const plan = await seedPlan(service, merchant, { mode: 'sandbox', input: planInput(terms, price), now });
    const email = `t${played++}@example.com`;
    id = (await seedSubscription(service, merchant, { plan, email, now })).subscription.id;
  };
  const act = async (at: Date, action: string): Promise<void> => {
    if (id === undefined) await enrolAt(at);
    if (action === 'pay' || action === 'repay') {
      const isSurplus = await payAt(service, owned(at), action);
      if (isSurplus) log.push(`${writeDate(at)} surplus`);
    } else if (action === 'open') await paySubscription(service, owned(at));
    else if (action === 'cancel') {
      const refused = await cancelSubscription(service, owned(at)).then(() => undefined, getErrorCode);
      if (refused === 'subscription_ended') log.push(`${writeDate(at)} refused: it has ended`);
    }
  };
  for (const { at, action, line } of acts) {
    await runUntil(at);
    log.push(line);
    await act(at, action);
    await tellWhatCame(at);
    await runUntil(at);
  }
  await service.prisma.subscription.updateMany({ where: { id: id! }, data: { dueAt: null } });
  return [...head, ...log].join('\n');
}

const firstAmounts = { free: 0, cheap: 1, dear: 250 };

function planInput(terms: BillingTerms, price: FirstPrice) {
  const { recurring, initial, numPayments, invoiceNoticeDays, graceDays } = terms;
  const hasInitial = initial !== recurring;
  return {
    recurringPayment: { amount: 100, period: recurring.unit, count: recurring.count },
    ...((hasInitial || price) && {
      initialPayment: {
        ...(price && { amount: firstAmounts[price] }),
        ...(hasInitial && { period: initial.unit, count: initial.count }),
      },
    }),
    numPayments,
    invoiceNotice: invoiceNoticeDays,
    gracePeriod: graceDays,
  };
}

type Owned = Parameters<typeof paySubscription>[1];

/**
 * Pays what is asked, or `repay`s the beginning. One that has ended asks nothing: then too money comes for a charge of the
 * beginning that was left. Answers whether it has changed nothing.
 */
async function payAt(service: Service, owned: Owned, action: 'pay' | 'repay'): Promise<boolean> {
  const { status, version } = await readSubscription(service, owned.id);
  const hasEnded = status === 'completed' || status === 'cancelled';
  const isAsked = action === 'pay' && !hasEnded;
  const charge = isAsked ? await paySubscription(service, owned) : await leaveCharge(service, owned);
  await completeCharge(service, charge, owned.now);
  return !isAsked && (await readSubscription(service, owned.id)).version === version;
}

async function leaveCharge(service: Service, { id, now }: Owned): Promise<Charge> {
  const paid = await service.prisma.charge.findFirstOrThrow({
    where: { subscriptionId: id },
    orderBy: { id: 'asc' },
  });
  const data = {
    ...paid,
    id: newId('charge', now),
    paymentReference: newPaymentReference(),
    status: 'pending',
    completedAt: null,
    version: 1,
  };
  return transact(service, async (uow) => {
    const charge = await uow.tx.charge.create({ data: data as Prisma.ChargeUncheckedCreateInput });
    await recordChargeEvents(uow, [charge], 'charge_created', { now, actor: 'customer' });
    return charge;
  });
}

/** What the merchant was told of the subscription and its invoices, after the first `told` events. */
async function readEvents(service: Service, id: string, told: number) {
  const invoices = await service.prisma.invoice.findMany({ where: { subscriptionId: id } });
  const events = await service.prisma.event.findMany({
    where: { objectId: { in: [id, ...invoices.map((invoice) => invoice.id)] } },
    orderBy: { id: 'asc' },
  });
  const lines: string[] = [];
  for (const { type: message, payload } of events.slice(told)) {
    const object = JSON.parse(payload) as { invoiceDueOn: string } & Subscription;
    const until = () => writeDate(new Date(object.activeUntil!));
    if (message === 'subscription_invoice_due') {
      lines.push(`invoice due ${writeDate(new Date(object.invoiceDueOn))}`);
    } else if (message === 'subscription_paused') lines.push('paused');
    else if (message === 'subscription_cancelled') lines.push('cancelled');
    else if (message === 'subscription_completed') lines.push(`${lines.pop()}, completed`);
    else if (message === 'subscription_paid') {
      const { numPaymentsComplete: paid } = object;
      lines.push(paid === 0 ? `begun: active until ${until()}` : `paid ${paid}: active until ${until()}`);
    }
  }
  return { lines, count: events.length };
}
