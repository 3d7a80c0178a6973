import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { ModeKeys, NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { count } from '../setup/counts.ts';
import type { Json } from '../setup/graphql.ts';
import { expectInvariants } from '../setup/invariants.ts';
import type { TestReceiver } from '../setup/receiver.ts';
import { createTransferInput } from './call-rest.ts';
import {
  type ClientResponse,
  callUntilAcknowledged,
  mutateUntilAcknowledged,
} from './call-until-acknowledged.ts';

/** The acknowledged requests of a merchant's server and bank, and the failed ones. */
export type Ledger = {
  /** The IDs of the objects that were acknowledged for each idempotency key. Each set must have one ID. */
  charges: Map<string, Set<string>>;
  refunds: Map<string, Set<string>>;
  sessions: Map<string, Set<string>>;
  /** The acknowledged final status of each charge. */
  ends: Map<string, 'completed' | 'cancelled' | 'expired'>;
  /** Completed live charges, for which the merchant must receive a notification. */
  completed: Set<string>;
  /** Responses and timeouts that no fault can cause. */
  wrong: string[];
  /** The numbers of requests that were rejected with 503, and of those without a complete response. */
  rejected: number;
  cutOff: number;
};

const createLedger = (): Ledger => ({
  charges: new Map(),
  refunds: new Map(),
  sessions: new Map(),
  ends: new Map(),
  completed: new Set(),
  wrong: [],
  rejected: 0,
  cutOff: 0,
});

type Shop = {
  url: () => string;
  keys: { live: ModeKeys; sandbox: ModeKeys };
  /** The time of the service and of the bank. */
  now: () => Date;
  /** Whether charges may expire before they are paid, because the clock jumps. */
  mayExpire: boolean;
  isOver: () => boolean;
};

type ClientContext = { shop: Shop; ledger: Ledger };
type Charge = { id: string; account: string; paymentReference: string };

/**
 * Creates charges by REST and GraphQL until `isOver`, and pays and partly refunds, cancels, or completes them
 * in the sandbox; also creates sessions. Repeats unacknowledged requests with the same idempotency key, or as
 * the same transfer.
 */
async function useService(shop: Shop, ledger: Ledger): Promise<void> {
  const context = { shop, ledger };
  const turns = [
    () => payAndRefund(context, 'rest'),
    () => cancel(context, 'rest'),
    () => payAndRefund(context, 'graphql'),
    () => cancel(context, 'graphql'),
    () => completeInSandbox(context),
    () => createAndCancelSession(context),
  ];
  for (let turn = Math.floor(Math.random() * turns.length); !shop.isOver(); turn++) {
    await turns[turn % turns.length]!();
  }
}

type Way = 'rest' | 'graphql';

async function payAndRefund(context: ClientContext, way: Way): Promise<void> {
  const { shop, ledger } = context;
  const charge = await createCharge(context, way);
  if (!(await pay(context, charge))) return;
  ledger.ends.set(charge.id, 'completed');
  ledger.completed.add(charge.id);
  const key = randomUUID();
  const terms = { chargeId: charge.id, customerAmount: way === 'rest' ? 10.5 : '10.50' };
  const by = { shop, ledger, keys: shop.keys.live, key };
  const response =
    way === 'rest'
      ? await callUntilAcknowledged(by, 'POST', '/refunds', terms)
      : await mutateUntilAcknowledged(by, 'createRefund', terms, 'refund { id }');
  record(ledger.refunds, key, way === 'rest' ? response.json.id : response.json.refund.id);
}

async function createCharge(
  { shop, ledger }: ClientContext,
  way: Way,
  mode: 'live' | 'sandbox' = 'live',
): Promise<Charge> {
  const key = randomUUID();
  const by = { shop, ledger, keys: shop.keys[mode], key };
  const terms = { email: `${key}@example.com`, merchantCurrency: 'HKD', method: 'fps' };
  const created =
    way === 'rest'
      ? (await callUntilAcknowledged(by, 'POST', '/charges', { ...terms, merchantAmount: 25 })).json
      : (
          await mutateUntilAcknowledged(
            by,
            'createCharge',
            { ...terms, merchantAmount: '25' },
            'charge { id destination { account paymentReference } }',
          )
        ).json.charge;
  record(ledger.charges, key, created.id);
  const { account, nonce, paymentReference = nonce } = created.destination;
  return { id: created.id, account, paymentReference };
}

/** Reports a transfer with retries; returns whether it completed the charge, which may have expired. */
async function pay(context: ClientContext, charge: Charge): Promise<boolean> {
  const { shop, ledger } = context;
  const { id } = charge;
  const transfers = [
    createTransferInput(
      { account: charge.account, nonce: charge.paymentReference },
      25,
      `bank-${id}`,
      shop.now(),
    ),
  ];
  const by = { shop, ledger, keys: shop.keys.live };
  const { json } = await callUntilAcknowledged(by, 'POST', '/transfers', { transfers });
  const [{ status, chargeId, reason, detail }] = json.transfers;
  // If the clock has jumped back, the bank reports the transfer again with the current time.
  if (shop.mayExpire && reason === 'invalid' && detail.startsWith('/paidAt')) return pay(context, charge);
  if (['matched', 'duplicate'].includes(status) && chargeId === id) return true;
  // A repeated late transfer is reported as a duplicate.
  const isLate = shop.mayExpire && (reason === 'charge_expired' || status === 'duplicate');
  if (isLate) ledger.ends.set(id, 'expired');
  else ledger.wrong.push(`a transfer for ${id}: ${JSON.stringify(json.transfers)}`);
  return false;
}

async function cancel(context: ClientContext, way: Way): Promise<void> {
  const { shop, ledger } = context;
  const { id } = await createCharge(context, way);
  const by = { shop, ledger, keys: shop.keys.live, key: randomUUID() };
  // A repeated request without a key finds that the charge is not pending any more.
  const accept = ({ json, isRepeat }: ClientResponse) =>
    json?.code === 'charge_not_pending' && (isRepeat || shop.mayExpire);
  const response =
    way === 'rest'
      ? await callUntilAcknowledged({ ...by, accept }, 'PATCH', `/charges/${id}/cancel`)
      : await mutateUntilAcknowledged({ ...by, accept }, 'cancelCharge', { id }, 'charge { status }');
  const isDone =
    way === 'rest' ? response.json === true || response.isRepeat : response.json.charge !== undefined;
  ledger.ends.set(id, isDone ? 'cancelled' : 'expired');
}

async function completeInSandbox(context: ClientContext): Promise<void> {
  const { shop, ledger } = context;
  const { id } = await createCharge(context, 'graphql', 'sandbox');
  const by = { shop, ledger, keys: shop.keys.sandbox, key: randomUUID() };
  const accept = ({ json }: ClientResponse) => json?.code === 'charge_not_pending' && shop.mayExpire;
  const { json } = await callUntilAcknowledged({ ...by, accept }, 'POST', `/charges/${id}/complete`);
  ledger.ends.set(id, json.status === 'completed' ? 'completed' : 'expired');
}

async function createAndCancelSession({ shop, ledger }: ClientContext): Promise<void> {
  const key = randomUUID();
  const by = { shop, ledger, keys: shop.keys.live };
  const { json } = await callUntilAcknowledged({ ...by, key }, 'POST', '/sessions', {
    amount: 25,
    currency: 'HKD',
  });
  record(ledger.sessions, key, json.id);
  await mutateUntilAcknowledged(
    { ...by, key: randomUUID() },
    'cancelSession',
    { id: json.id },
    'session { status }',
  );
}

function record(acknowledged: Map<string, Set<string>>, key: string, id: Json): void {
  acknowledged.set(key, (acknowledged.get(key) ?? new Set()).add(id));
}

const clients = 4;

/** The service under test: its database, the merchant whose clients load it, and the endpoint of its live webhook. */
export type Site = {
  service: Service;
  merchant: NewMerchant;
  receiver: TestReceiver;
  url: () => string;
  now?: () => Date;
  mayExpire?: boolean;
  /** The log of the service, for error messages. */
  logged: () => string;
};

/**
 * Runs `fault` while clients use the service, then compares their ledgers with the database: everything acknowledged
 * exists once, nothing is incomplete, nothing else was created, and the merchant received all notifications.
 */
export async function underLoad(site: Site, fault: (ledger: Ledger) => Promise<void>): Promise<Ledger> {
  const { service } = site;
  const ledger = createLedger();
  const before = await countObjects(service);
  let isOver = false;
  const shop: Shop = {
    url: site.url,
    keys: site.merchant.keys,
    now: site.now ?? (() => new Date()),
    mayExpire: site.mayExpire ?? false,
    isOver: () => isOver,
  };
  const load = Promise.allSettled(Array.from({ length: clients }, () => useService(shop, ledger)));
  const waitForMoreCharges = async () => {
    const enough = ledger.ends.size + count(1, 2) * clients;
    const getProgress = () =>
      ledger.wrong.length > 0 ? 'wrong' : ledger.ends.size > enough ? 'more' : 'waiting';
    await expect.poll(getProgress, { timeout: 60_000 }).not.toBe('waiting');
  };
  try {
    await waitForMoreCharges();
    await fault(ledger);
    await waitForMoreCharges();
  } finally {
    isOver = true;
    await load;
  }
  expect(ledger.wrong.map((response) => withLog(response, site.logged()))).toEqual([]);
  await expectAcknowledged(site, ledger, before);
  return ledger;
}

function withLog(response: string, log: string): string {
  const [requestId = 'none'] = /req_[\w-]+/.exec(response) ?? [];
  return [response, ...log.split('\n').filter((line) => line.includes(requestId))].join('\n');
}

async function countObjects({ prisma }: Service): Promise<number[]> {
  return [await prisma.charge.count(), await prisma.refund.count(), await prisma.checkoutSession.count()];
}

async function expectAcknowledged(
  { service, receiver }: Site,
  ledger: Ledger,
  before: number[],
): Promise<void> {
  const { prisma } = service;
  const created = [ledger.charges, ledger.refunds, ledger.sessions].map((byKey) => {
    const ids = [...byKey.values()].flatMap((acknowledged) => [...acknowledged]);
    expect(ids).toHaveLength(byKey.size);
    return ids;
  });
  const [charges, refunds, sessions] = created as [string[], string[], string[]];
  const after = await countObjects(service);
  expect(after.map((total, i) => total - before[i]!)).toEqual(created.map((ids) => ids.length));

  const readStatuses = async () => {
    const rows = await prisma.charge.findMany({
      where: { id: { in: charges } },
      select: { id: true, status: true },
    });
    return new Map(rows.map(({ id, status }) => [id, status]));
  };
  const findWrong = async () => {
    const statuses = await readStatuses();
    return charges.filter((id) => statuses.get(id) !== ledger.ends.get(id));
  };
  await expect.poll(findWrong, { timeout: 30_000 }).toEqual([]);
  const refunded = await prisma.refund.findMany({ where: { id: { in: refunds } } });
  expect(new Set(refunded.map(({ chargeId }) => chargeId))).toEqual(ledger.completed);
  expect(refunded.every(({ customerAmount }) => customerAmount === 1_050n)).toBe(true);
  const cancelled = await prisma.checkoutSession.count({
    where: { id: { in: sessions }, status: 'cancelled' },
  });
  expect(cancelled).toBe(sessions.length);

  const missing = new Set(ledger.completed);
  await receiver.waitFor((requests) => {
    for (const { body } of requests) missing.delete(JSON.parse(body).chargeId);
    return missing.size === 0;
  }, 60_000);
  await expectInvariants(service);
}
