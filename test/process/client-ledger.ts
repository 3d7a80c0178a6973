import { randomUUID } from 'node:crypto';
import type { ModeKeys } from '../../src/domain/merchant/create-merchant.ts';
import { basic } from '../setup/api.ts';

/** No request may take longer, whatever happens meanwhile. */
const answerMsMax = 10_000;

/** What a merchant's server and its bank know of: what they asked for, and what was acknowledged. */
export type Ledger = {
  /** By idempotency key, the charges that were acknowledged: one each, however often the key was sent. */
  charges: Map<string, Set<string>>;
  /** Charges whose transfer was acknowledged. */
  paid: Set<string>;
  /** Answers that no fault excuses, and requests without an end. */
  wrong: string[];
  /** Requests that were answered 503, or cut off. */
  refused: number;
};

export const newLedger = (): Ledger => ({ charges: new Map(), paid: new Set(), wrong: [], refused: 0 });

type Shop = { url: () => string; keys: ModeKeys; isOver: () => boolean };

/**
 * Makes charges and pays them, one after the other, until it is over. What was not acknowledged is asked for again with the
 * same key, or told again as the same transfer.
 */
export async function buyAndPay(shop: Shop, ledger: Ledger): Promise<void> {
  while (!shop.isOver()) {
    const key = randomUUID();
    const terms = { email: `${key}@example.com`, merchantAmount: 25, merchantCurrency: 'HKD', method: 'fps' };
    const charge = (await ask(shop, ledger, { path: '/charges', key, body: terms })) as Charge;
    const known = ledger.charges.get(key) ?? new Set();
    ledger.charges.set(key, known.add(charge.id));
    const { account, nonce: reference } = charge.destination;
    const money = { amount: 25, currency: 'HKD', reference, paidAt: new Date().toISOString() };
    const transfers = [{ id: `bank-${key}`, method: 'fps', account, ...money }];
    const paid = (await ask(shop, ledger, { path: '/transfers', body: { transfers } })) as Paid;
    const [{ status, chargeId } = { status: 'none', chargeId: '' }] = paid.transfers;
    if (!['matched', 'duplicate'].includes(status)) ledger.wrong.push(`a transfer: ${status}`);
    ledger.paid.add(chargeId);
  }
}

type Charge = { id: string; destination: { account: string; nonce: string } };
type Paid = { transfers: { status: string; chargeId: string }[] };
type Asked = { path: string; body: unknown; key?: string };

/** Again and again, until it is acknowledged. */
async function ask({ url, keys }: Shop, ledger: Ledger, { path, body, key }: Asked): Promise<unknown> {
  for (;;) {
    const answer = await fetch(`${url()}${path}`, {
      method: 'POST',
      headers: {
        authorization: basic(keys),
        'content-type': 'application/json',
        ...(key && { 'idempotency-key': key }),
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(answerMsMax),
    })
      .then(async (response) => ({ status: response.status, json: await response.json() }))
      .catch((error: Error) => ({
        status: error.name === 'TimeoutError' ? 'none in time' : 'cut off',
        json: null,
      }));
    if (answer.status === 200 || answer.status === 201) return answer.json;
    if (answer.status !== 503 && answer.status !== 'cut off') {
      ledger.wrong.push(`${path}: ${answer.status} ${JSON.stringify(answer.json)}`);
    }
    ledger.refused++;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
