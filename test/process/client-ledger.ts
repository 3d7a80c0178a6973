import { randomUUID } from 'node:crypto';
import type { ModeKeys } from '../../src/domain/accounts/merchant/create-merchant.ts';
import type { Json } from '../setup/graphql.ts';
import { type Answer, askGraphql, askRest } from './ask-again.ts';
import { moneyFor } from './call-rest.ts';

/** What a merchant's server and its bank know of: what they asked for, and what was acknowledged. */
export type Ledger = {
  /** By idempotency key, the objects that were acknowledged under it: one each, however often the key was sent. */
  charges: Map<string, Set<string>>;
  refunds: Map<string, Set<string>>;
  sessions: Map<string, Set<string>>;
  /** How each charge ended, as far as that was acknowledged. */
  ends: Map<string, 'completed' | 'cancelled' | 'expired'>;
  /** Live charges that completed: the merchant must be told of them. */
  told: Set<string>;
  /** Answers that no fault excuses, and requests without an end. */
  wrong: string[];
  /** Requests that were refused with 503, and those without a whole answer. */
  refused: number;
  cutOff: number;
};

export const newLedger = (): Ledger => ({
  charges: new Map(),
  refunds: new Map(),
  sessions: new Map(),
  ends: new Map(),
  told: new Set(),
  wrong: [],
  refused: 0,
  cutOff: 0,
});

export type Shop = {
  url: () => string;
  keys: { live: ModeKeys; sandbox: ModeKeys };
  /** What the clocks of the service and of the bank show. */
  now: () => Date;
  /** Charges may expire before they are paid: the clock jumps. */
  mayExpire: boolean;
  isOver: () => boolean;
};

type Till = { shop: Shop; ledger: Ledger };
type Charge = { id: string; account: string; paymentReference: string };

/**
 * Makes charges and ends them, one after the other, by REST and by GraphQL, until it is over: paid and refunded in part,
 * cancelled, or completed by hand in the sandbox; and sessions beside. What was not acknowledged is asked for again with
 * the same key, or told again as the same transfer.
 */
export async function useService(shop: Shop, ledger: Ledger): Promise<void> {
  const till = { shop, ledger };
  const turns = [
    () => payAndRefund(till, 'rest'),
    () => cancel(till, 'rest'),
    () => payAndRefund(till, 'graphql'),
    () => cancel(till, 'graphql'),
    () => completeByHand(till),
    () => makeAndCancelSession(till),
  ];
  for (let turn = Math.floor(Math.random() * turns.length); !shop.isOver(); turn++) {
    await turns[turn % turns.length]!();
  }
}

type Way = 'rest' | 'graphql';

async function payAndRefund(till: Till, way: Way): Promise<void> {
  const { shop, ledger } = till;
  const charge = await makeCharge(till, way);
  if (!(await pay(till, charge))) return;
  ledger.ends.set(charge.id, 'completed');
  ledger.told.add(charge.id);
  const key = randomUUID();
  const terms = { chargeId: charge.id, customerAmount: way === 'rest' ? 10.5 : '10.50' };
  const by = { shop, ledger, keys: shop.keys.live, key };
  const answer =
    way === 'rest'
      ? await askRest(by, 'POST', '/refunds', terms)
      : await askGraphql(by, 'createRefund', terms, 'refund { id }');
  note(ledger.refunds, key, way === 'rest' ? answer.json.id : answer.json.refund.id);
}

async function makeCharge(
  { shop, ledger }: Till,
  way: Way,
  mode: 'live' | 'sandbox' = 'live',
): Promise<Charge> {
  const key = randomUUID();
  const by = { shop, ledger, keys: shop.keys[mode], key };
  const terms = { email: `${key}@example.com`, merchantCurrency: 'HKD', method: 'fps' };
  const made =
    way === 'rest'
      ? (await askRest(by, 'POST', '/charges', { ...terms, merchantAmount: 25 })).json
      : (
          await askGraphql(
            by,
            'createCharge',
            { ...terms, merchantAmount: '25' },
            'charge { id destination { account paymentReference } }',
          )
        ).json.charge;
  note(ledger.charges, key, made.id);
  const { account, nonce, paymentReference = nonce } = made.destination;
  return { id: made.id, account, paymentReference };
}

/** The bank tells of the money, again and again. False where the charge had expired. */
async function pay(till: Till, charge: Charge): Promise<boolean> {
  const { shop, ledger } = till;
  const { id } = charge;
  const transfers = [
    moneyFor({ account: charge.account, nonce: charge.paymentReference }, 25, `bank-${id}`, shop.now()),
  ];
  const by = { shop, ledger, keys: shop.keys.live };
  const { json } = await askRest(by, 'POST', '/transfers', { transfers });
  const [{ status, chargeId, reason, detail }] = json.transfers;
  // The clock jumped back while it was on its way: the bank tells again, with the time it is now.
  if (shop.mayExpire && reason === 'invalid' && detail.startsWith('/paidAt')) return pay(till, charge);
  if (['matched', 'duplicate'].includes(status) && chargeId === id) return true;
  // Also a repeat of one that came too late says only that it is known.
  const isLate = shop.mayExpire && (reason === 'charge_expired' || status === 'duplicate');
  if (isLate) ledger.ends.set(id, 'expired');
  else ledger.wrong.push(`a transfer for ${id}: ${JSON.stringify(json.transfers)}`);
  return false;
}

async function cancel(till: Till, way: Way): Promise<void> {
  const { shop, ledger } = till;
  const { id } = await makeCharge(till, way);
  const by = { shop, ledger, keys: shop.keys.live, key: randomUUID() };
  // Asked again without a key, one hears that it is done: the charge is not pending any more.
  const accept = ({ json, isRepeat }: Answer) =>
    json?.code === 'charge_not_pending' && (isRepeat || shop.mayExpire);
  const answer =
    way === 'rest'
      ? await askRest({ ...by, accept }, 'PATCH', `/charges/${id}/cancel`)
      : await askGraphql({ ...by, accept }, 'cancelCharge', { id }, 'charge { status }');
  const isDone = way === 'rest' ? answer.json === true || answer.isRepeat : answer.json.charge !== undefined;
  ledger.ends.set(id, isDone ? 'cancelled' : 'expired');
}

async function completeByHand(till: Till): Promise<void> {
  const { shop, ledger } = till;
  const { id } = await makeCharge(till, 'graphql', 'sandbox');
  const by = { shop, ledger, keys: shop.keys.sandbox, key: randomUUID() };
  const accept = ({ json }: Answer) => json?.code === 'charge_not_pending' && shop.mayExpire;
  const { json } = await askRest({ ...by, accept }, 'POST', `/charges/${id}/complete`);
  ledger.ends.set(id, json.status === 'completed' ? 'completed' : 'expired');
}

async function makeAndCancelSession({ shop, ledger }: Till): Promise<void> {
  const key = randomUUID();
  const by = { shop, ledger, keys: shop.keys.live };
  const { json } = await askRest({ ...by, key }, 'POST', '/sessions', { amount: 25, currency: 'HKD' });
  note(ledger.sessions, key, json.id);
  await askGraphql({ ...by, key: randomUUID() }, 'cancelSession', { id: json.id }, 'session { status }');
}

function note(made: Map<string, Set<string>>, key: string, id: Json): void {
  made.set(key, (made.get(key) ?? new Set()).add(id));
}
