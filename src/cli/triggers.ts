import { Causeway } from '../../packages/client/src/index.ts';
import type { EventType } from '../event/catalog.ts';
import type { SandboxApi } from './sandbox-api.ts';

export type TriggerCall = SandboxApi & { signal: AbortSignal; onProgress: (line: string) => void };

/** Causes an event of its type in the sandbox. Returns the ID of the event's object, which it created. */
type Trigger = (call: TriggerCall) => Promise<string>;

/** Every sandbox has a receiving account for FPS. */
const method = 'fps';
const currency = 'HKD';
const amount = '128.50';
const email = 'trigger@example.com';
const plan = {
  name: 'Trigger',
  currency,
  methods: [method],
  recurringPayment: { amount, count: 1, period: 'days' },
  invoiceNoticeDays: 0,
  sendEmail: false,
};

export const triggers: Record<EventType, Trigger> = {
  CHARGE_COMPLETE: (call) => payCharge(call, 'exact'),
  // Webhooks receive these two event types only for subscriptions.
  charge_created: async (call) => (await enrol(call)).chargeId,
  charge_completed: async (call) => (await startSubscription(call)).chargeId,
  async charge_expired(call) {
    const { id, expiresAt } = await createCharge(call);
    await advanceClock(call, expiresAt);
    return id;
  },
  async charge_cancelled(call) {
    const { id } = await createCharge(call);
    await mutate(call, 'cancelCharge', { id }, 'charge { id }');
    return id;
  },
  async charge_extended(call) {
    const id = await payCharge(call, 'underpaid');
    await mutate(call, 'extendCharge', { id, days: 1 }, 'charge { id }');
    return id;
  },
  charge_part_paid: (call) => payCharge(call, 'underpaid'),
  charge_overpaid: (call) => payCharge(call, 'overpaid'),
  session_created: async (call) => (await createSession(call)).id,
  async session_initiated(call) {
    const { id, checkoutUrl } = await createSession(call);
    await claimSession(call, checkoutUrl);
    return id;
  },
  session_charged: async (call) => (await createCharge(call)).sessionId,
  async session_expired(call) {
    const { id, expiresAt } = await createSession(call, { expiresInMinutes: 5 });
    await advanceClock(call, expiresAt);
    return id;
  },
  async session_cancelled(call) {
    const { id } = await createSession(call);
    await mutate(call, 'cancelSession', { id }, 'session { id }');
    return id;
  },
  refund_initiated: createRefund,
  refund_processing: submitRefundDetails,
  async refund_completed(call) {
    const id = await submitRefundDetails(call);
    await mutate(call, 'completeRefund', { id }, 'refund { id }');
    return id;
  },
  async refund_cancelled(call) {
    const id = await createRefund(call);
    await mutate(call, 'cancelRefund', { id }, 'refund { id }');
    return id;
  },
  subscription_created: async (call) => (await enrol(call)).id,
  subscription_invoice_due: createInvoice,
  subscription_paid: async (call) => (await startSubscription(call)).id,
  subscription_paused: pauseSubscription,
  async subscription_resumed(call) {
    const id = await pauseSubscription(call);
    await mutate(call, 'resumeSubscription', { id }, 'subscription { id }');
    return id;
  },
  async subscription_updated(call) {
    const { id } = await startSubscription(call);
    await mutate(call, 'changeSubscriptionTerms', { id, amount: '99' }, 'subscription { id }');
    return id;
  },
  async subscription_cancelled(call) {
    const { id } = await startSubscription(call);
    await mutate(call, 'cancelSubscription', { id }, 'subscription { id }');
    return id;
  },
  subscription_completed: async (call) => (await startSubscription(call, { numPayments: 1 })).id,
  async transfer_exception(call) {
    const { id } = await createCharge(call);
    const [transfer] = await simulateTransfers(call, id, 'missing_reference');
    return transfer!.id;
  },
};

async function mutate<Result>(
  { client, signal }: Pick<TriggerCall, 'client' | 'signal'>,
  name: string,
  input: object,
  selection: string,
): Promise<Result> {
  const type = `${name[0]!.toUpperCase()}${name.slice(1)}`;
  const document = `mutation ($input: ${type}Input!) { ${name}(input: $input) {
    ... on ${type}Success { ${selection} }
    ... on UserError { code message }
  } }`;
  const data = await client.graphql<Record<string, Result>>(document, { input }, { signal });
  return data[name]!;
}

type CreatedSession = { id: string; checkoutUrl: string; expiresAt: string; clientToken: string };

async function createSession(call: TriggerCall, terms: object = {}): Promise<CreatedSession> {
  const { session, clientToken } = await mutate<{
    session: Omit<CreatedSession, 'clientToken'>;
    clientToken: string;
  }>(
    call,
    'createSession',
    { amount, currency, methods: [method], ...terms },
    'session { id checkoutUrl expiresAt } clientToken',
  );
  call.onProgress(`Created the session ${session.id}`);
  return { ...session, clientToken };
}

/** Sends the requests that the script of the checkout page sends. */
async function claimSession({ url, signal }: TriggerCall, checkoutUrl: string): Promise<void> {
  const { pathname, search } = new URL(checkoutUrl);
  const body = new URLSearchParams({ do: 'claim' });
  const response = await fetch(new URL(`${pathname}${search}`, url), {
    method: 'POST',
    body,
    redirect: 'manual',
    signal,
  });
  if (response.status !== 303) throw new Error(`The checkout page responded with ${response.status}`);
}

type SessionCharge = { id: string; expiresAt: string; sessionId: string };

/** Charges a session, as a page does, because a charge without a session can require a hash. */
async function createCharge(call: TriggerCall): Promise<SessionCharge> {
  const { id: sessionId, clientToken } = await createSession(call);
  const page = { client: new Causeway({ url: call.url, clientToken }), signal: call.signal };
  const { charge } = await mutate<{ charge: Omit<SessionCharge, 'sessionId'> }>(
    page,
    'chargeSession',
    { id: sessionId, method, email },
    'charge { id expiresAt }',
  );
  call.onProgress(`Created the charge ${charge.id}`);
  return { ...charge, sessionId };
}

async function simulateTransfers(
  call: TriggerCall,
  chargeId: string,
  kind: string,
): Promise<{ id: string }[]> {
  const { transfers } = await mutate<{ transfers: { id: string }[] }>(
    call,
    'simulateTransfer',
    { chargeId, kind },
    'transfers { id }',
  );
  call.onProgress(`Simulated a transfer for ${chargeId}: ${kind}`);
  return transfers;
}

async function payCharge(call: TriggerCall, kind: string): Promise<string> {
  const { id } = await createCharge(call);
  await simulateTransfers(call, id, kind);
  return id;
}

async function createRefund(call: TriggerCall): Promise<string> {
  const chargeId = await payCharge(call, 'exact');
  const input = { chargeId, customerAmount: amount };
  const { refund } = await mutate<{ refund: { id: string } }>(call, 'createRefund', input, 'refund { id }');
  call.onProgress(`Created the refund ${refund.id}`);
  return refund.id;
}

async function submitRefundDetails(call: TriggerCall): Promise<string> {
  const id = await createRefund(call);
  const details = { bank: '004', account: '123456789', accountName: 'Ada Wong' };
  await mutate(call, 'submitRefundDetails', { id, ...details }, 'refund { id }');
  return id;
}

/** `chargeId` is empty if the first payment is free, and `activeUntil` if it is not. */
type TriggeredEnrolment = { id: string; activeUntil: string; chargeId: string };

/** Enrols a new customer in a new plan. The customer has not paid. */
async function enrol(call: TriggerCall, terms: object = {}): Promise<TriggeredEnrolment> {
  const { subscriptionPlan } = await mutate<{ subscriptionPlan: { id: string } }>(
    call,
    'createSubscriptionPlan',
    { ...plan, ...terms },
    'subscriptionPlan { id }',
  );
  const { subscription, charge } = await mutate<{
    subscription: { id: string; activeUntil: string | null };
    charge: { id: string } | null;
  }>(
    call,
    'enrol',
    { subscriptionPlanId: subscriptionPlan.id, method, customer: { email } },
    'subscription { id activeUntil } charge { id }',
  );
  const { id, activeUntil } = subscription;
  call.onProgress(`Created the subscription ${id}`);
  return { id, activeUntil: activeUntil ?? '', chargeId: charge?.id ?? '' };
}

/** Enrols a customer and pays the first charge. */
async function startSubscription(call: TriggerCall, terms: object = {}) {
  const subscription = await enrol(call, terms);
  await simulateTransfers(call, subscription.chargeId, 'exact');
  return subscription;
}

async function pauseSubscription(call: TriggerCall): Promise<string> {
  const { id } = await startSubscription(call);
  await mutate(call, 'pauseSubscription', { id }, 'subscription { id }');
  return id;
}

/** The first payment is free, and the invoice of the second one is created a day later. */
async function createInvoice(call: TriggerCall): Promise<string> {
  const { client, signal } = call;
  const { id, activeUntil } = await enrol(call, { initialPayment: { amount: '0' } });
  await advanceClock(call, activeUntil);
  const { subscription } = await client.graphql<{ subscription: { recentInvoices: { id: string }[] } }>(
    'query ($id: ID!) { subscription(id: $id) { recentInvoices { id } } }',
    { id },
    { signal },
  );
  return subscription.recentInvoices.at(-1)!.id;
}

/** Objects can still be used at the moment of their expiry, so the clock is advanced to a second after the time. */
async function advanceClock(call: TriggerCall, time: string): Promise<void> {
  const advanceTo = new Date(Date.parse(time) + 1_000).toISOString();
  call.onProgress(`Advancing the clock of the sandbox to ${advanceTo}`);
  await mutate(call, 'advanceTestClock', { advanceTo }, 'testClock { now }');
}
