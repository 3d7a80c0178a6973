import type { Causeway, Graphql } from 'causeway-client';

/** The fields of a session's charge that the plugin reads. Amounts are decimal strings. */
export type SessionCharge = Pick<
  Graphql.Charge,
  'id' | 'status' | 'paymentState' | 'merchantAmount' | 'merchantCurrency' | 'amountReceived'
> &
  Pick<Graphql.Charge, 'customerAmount' | 'customerCurrency' | 'amountRefundable'> & {
    allocations: Pick<Graphql.Allocation, 'amount'>[];
    refunds: Pick<Graphql.Refund, 'id' | 'status' | 'customerAmount'>[];
  };

export type SessionState = {
  /**
   * `open`: the customer can still pay. `ended`: the customer can no longer pay, and has not paid in full, or the bank
   * has reversed the payment.
   */
  outcome: 'open' | 'paid' | 'ended';
  /** Null until the customer has chosen a payment method. */
  charge: SessionCharge | null;
};

type SessionQuery = {
  session: {
    status: Graphql.SessionStatus;
    expiresAt: string;
    charge: SessionCharge | null;
  } | null;
  testClock: { now: string } | null;
};

const sessionQuery = `query Session($id: ID!) {
  session(id: $id) {
    status expiresAt
    charge {
      id status paymentState merchantAmount merchantCurrency amountReceived
      customerAmount customerCurrency amountRefundable
      allocations { amount }
      refunds { id status customerAmount }
    }
  }
  testClock { now }
}`;

/** Returns undefined if the API key cannot read a session with this ID. */
export async function readSession(causeway: Causeway, id: string): Promise<SessionState | undefined> {
  const { session, testClock } = await causeway.graphql<SessionQuery>(sessionQuery, { id });
  if (!session) return undefined;
  const { charge, status } = session;
  if (!charge) return { outcome: status === 'cancelled' || status === 'expired' ? 'ended' : 'open', charge };
  if (charge.status === 'completed') return { outcome: hasLostMoney(charge) ? 'ended' : 'paid', charge };
  if (charge.status === 'pending') return { outcome: 'open', charge };
  // Until the session expires or is cancelled, the customer can start an expired payment again. The sandbox has its
  // own clock.
  const now = new Date(testClock?.now ?? Date.now());
  const canRestart =
    charge.status === 'expired' && status !== 'cancelled' && new Date(session.expiresAt) > now;
  return { outcome: canRestart ? 'open' : 'ended', charge };
}

/**
 * A charge stays completed when the bank reverses its payment, or you apply the payment to another charge. A charge
 * that was completed with less than its amount has not lost money.
 */
function hasLostMoney({ paymentState, allocations }: SessionCharge): boolean {
  const isShort = paymentState === 'none' || paymentState === 'partial';
  return isShort && Number(allocations.at(-1)?.amount) < 0;
}

const cancelSessionMutation = `mutation Cancel($id: ID!) {
  cancelSession(input: { id: $id }) {
    ... on CancelSessionSuccess { session { id } }
    ... on UserError { code message }
  }
}`;

const closeAttemptsMax = 3;

/**
 * Cancels a session or its pending charge, so that the customer can no longer pay, and returns the state afterwards.
 * Does nothing if money has arrived. Throws if the session stays open.
 */
export async function closeSession(causeway: Causeway, id: string): Promise<SessionState | undefined> {
  let failure: unknown = new Error(`The customer has started another payment of ${id}`);
  for (let attempts = 0; ; attempts++) {
    const state = await readSession(causeway, id);
    if (state?.outcome !== 'open' || hasReceivedMoney(state)) return state;
    if (attempts === closeAttemptsMax) throw failure;
    try {
      if (state.charge?.status === 'pending') await causeway.charges.cancel(state.charge.id);
      else await causeway.graphql(cancelSessionMutation, { id });
    } catch (error) {
      // The customer may have chosen or changed the method, or paid, since the state was read.
      failure = error;
    }
  }
}

export function hasReceivedMoney({ charge }: SessionState): boolean {
  return Number(charge?.amountReceived ?? 0) > 0;
}
