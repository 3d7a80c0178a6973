export type Destination = {
  paymentReference: string;
  rows: { field: string; value: string; code: string | null }[];
};

export type Outstanding = {
  amount: string;
  referencePlacement: 'in_code' | 'written' | 'uncertain' | 'by_merchant';
  isDemo: boolean;
  appLinks: { name: string | null; url: string }[];
  destination: Destination;
};

export type Charge = {
  id: string;
  status: 'pending' | 'completed' | 'expired' | 'cancelled';
  method: string;
  customerAmount: string;
  customerCurrency: string;
  amountReceived: string;
  /** The part payments of a charge that has ended. */
  amountReleased: string;
  feeAmount: string;
  amountOffset: string | null;
  paymentState: 'none' | 'partial' | 'exact' | 'over';
  expiresAt: string;
  updatedAt: string;
  qrPngUrl: string | null;
  destination: Pick<Destination, 'paymentReference'>;
  outstanding: Outstanding | null;
};

export type Session = {
  id: string;
  status: 'created' | 'initiated' | 'charged' | 'cancelled' | 'expired';
  mode: 'live' | 'sandbox';
  merchantName: string;
  amount: string;
  currency: string;
  expiresAt: string;
  updatedAt: string;
  charge: Charge | null;
};

export type Offer = { method: string; country: string; customerAmount: string; customerCurrency: string };

export const sessionDocument = `query ($id: ID!) { session(id: $id) {
  id status mode merchantName amount currency expiresAt updatedAt
  charge {
    id status method customerAmount customerCurrency amountReceived amountReleased feeAmount amountOffset
    paymentState expiresAt updatedAt qrPngUrl destination { paymentReference } outstanding {
      amount referencePlacement isDemo appLinks { name url }
      destination { paymentReference rows { field value code } }
    }
  }
} }`;
export const offersDocument = `query ($id: ID!) { session(id: $id) {
  offers { method country customerAmount customerCurrency }
} }`;
export const sessionUpdatedDocument = `subscription ($id: ID!) { sessionUpdated(id: $id) { updatedAt status } }`;
export const chargeUpdatedDocument = `subscription ($id: ID!) { chargeUpdated(id: $id) { updatedAt status amountReceived } }`;

const failure = '... on UserError { code message }';
export const payDocument = `mutation ($input: ChargeSessionInput!) {
  result: chargeSession(input: $input) { ... on ChargeSessionSuccess { charge { id } } ${failure} }
}`;
export const cancelSessionDocument = `mutation ($id: ID!) {
  result: cancelSession(input: { id: $id }) { ... on CancelSessionSuccess { session { id } } ${failure} }
}`;
export const cancelChargeDocument = `mutation ($id: ID!) {
  result: cancelCharge(input: { id: $id }) { ... on CancelChargeSuccess { charge { id } } ${failure} }
}`;

export type CheckoutStatus = 'open' | 'pending' | 'part-paid' | 'completed' | 'expired' | 'cancelled';

export function getStatus({ status, charge }: Session): CheckoutStatus {
  if (charge) {
    if (charge.status !== 'pending') return charge.status;
    return charge.paymentState === 'partial' ? 'part-paid' : 'pending';
  }
  return status === 'cancelled' || status === 'expired' ? status : 'open';
}

/**
 * Returns whether the customer can still choose a method: until money arrives, and again after a charge has expired.
 */
export function canChoose(session: Session): boolean {
  const { charge } = session;
  const isSessionOpen = new Date(session.expiresAt).getTime() > Date.now();
  if (!charge) return getStatus(session) === 'open';
  if (charge.paymentState !== 'none' || Number(charge.amountReleased) > 0) return false;
  return charge.status === 'pending' || (charge.status === 'expired' && isSessionOpen);
}
