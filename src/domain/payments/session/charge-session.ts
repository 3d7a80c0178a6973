import type { Charge, CheckoutSession, Merchant } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import type { Tx } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { MethodCode } from '../../../method/catalog.ts';
import type { Audited } from '../../platform/audit/record-audit.ts';
import type { MetadataEntry } from '../../platform/metadata.ts';
import type { OrderLine } from '../../platform/order-line.ts';
import type { Service } from '../../platform/service.ts';
import type { ChargeTerms } from '../charge/charge-terms.ts';
import { insertCharge } from '../charge/insert-charges.ts';
import { prepareCharge } from '../charge/prepare-charge.ts';
import { lockSession } from '../checkout/lock-session.ts';
import type { CustomerDetails } from '../customer/customer-input.ts';
import { upsertPageCustomer } from '../customer/upsert-customer.ts';
import { isSessionClaimedBy } from './claim-session.ts';
import { getSessionStatusAt, pickCurrentCharge, sessionClosedError } from './session-state.ts';
import { transitionSession } from './transition-session.ts';

/**
 * Creates the first charge of a session, with the submitted method and details; the session's own details
 * only prefill the form. Only a sale at the counter needs no email; without one, it creates a new customer. A
 * repeated call from the same browser returns the existing charge. Throws `session_not_claimed` unless this
 * browser has claimed the session, `session_expired`, `session_cancelled`, `session_already_used` and the
 * errors of `prepareCharge` and `insertCharge`.
 */
export async function chargeSession(
  service: Service,
  options: Audited & {
    merchant: Merchant;
    session: CheckoutSession;
    browserToken: string;
    method: MethodCode;
    customer: CustomerDetails;
    /** The language of the customer's page; defaults to the session's. */
    language?: string;
    actor?: string;
    now: MerchantTime;
  },
): Promise<Charge> {
  const { merchant, session, actor = 'customer', audit, now } = options;
  const terms = toChargeTerms(options);
  const existingCharge = await findCurrentCharge(service.prisma, session);
  if (existingCharge && isSessionClaimedBy(session, options.browserToken)) return existingCharge;
  const preparedCharge = await prepareCharge(service, { merchant, mode: session.mode, terms, now });
  return transact(service, async (uow) => {
    const { tx } = uow;
    const lockedSession = await lockSession(tx, session.id);
    const status = getSessionStatusAt(lockedSession, now);
    if (!isSessionClaimedBy(lockedSession, options.browserToken))
      throw new DomainError('session_not_claimed');
    if (status === 'charged') return (await findCurrentCharge(tx, session))!;
    if (status !== 'initiated') throw sessionClosedError(status);
    const details = terms.customer;
    const customer = { merchantId: merchant.id, mode: session.mode, now };
    const customerId = await upsertPageCustomer(tx, { ...customer, details });
    const charge = await insertCharge(uow, { preparedCharge, customerId }, { actor, audit, now });
    await transitionSession(uow, lockedSession, 'charged', { now, actor });
    return charge;
  });
}

async function findCurrentCharge(
  prisma: Pick<Tx, 'charge'>,
  { id: sessionId }: CheckoutSession,
): Promise<Charge | null> {
  return pickCurrentCharge(await prisma.charge.findMany({ where: { sessionId } }));
}

function toChargeTerms(options: {
  session: CheckoutSession;
  method: MethodCode;
  customer: CustomerDetails;
  language?: string;
}): ChargeTerms {
  const { session, method } = options;
  if (session.methods.length > 0 && !session.methods.includes(method)) {
    throw new DomainError('method_unavailable', `The session does not offer ${method}`);
  }
  return {
    merchantMoney: { minor: session.amount, currency: session.currency },
    method,
    customer: options.customer,
    orders: session.orders as OrderLine[],
    notifyPayload: session.notifyPayload,
    metadata: session.metadata as MetadataEntry[] | null,
    notifyUrl: session.notifyUrl,
    redirectUrl: session.redirectUrl,
    language: options.language ?? session.language,
    sessionId: session.id,
  };
}
