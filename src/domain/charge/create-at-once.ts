import type { Charge } from '../../../prisma/client/client.ts';
import { eventRow } from '../../event/event-row.ts';
import { formatNotice } from '../../event/notice.ts';
import { isUnitOfWork } from '../../event/unit-of-work.ts';
import { foldEmail } from '../../kit/contact.ts';
import { newId } from '../../kit/id.ts';
import { rowJson } from '../../kit/insert-rows.ts';
import { queryPrepared } from '../../kit/prepared.ts';
import { hasSqlState, sqlStates } from '../../kit/sql-state.ts';
import { newNonce } from '../../method/nonce.ts';
import type { Service } from '../service.ts';
import { chargeEvents } from './charge-events.ts';
import { chargeRow } from './charge-row.ts';
import type { PreparedCharge } from './charge-terms.ts';
import { creationStatement } from './creation-statement.ts';
import { nonceRestMs } from './insert-charge.ts';
import { customerKey, noteCustomer, recallCustomer } from './known-customers.ts';

type Creation = { prepared: PreparedCharge; actor: string; address: string | undefined; now: Date };

/**
 * Creates the charge of createCharge as its transaction would, in one statement that writes all of it (customer, charge,
 * event, kept answer) or nothing. Guessed are who the customer is (one not seen yet is new) and that the nonce does not
 * rest. A wrong guess writes nothing either, and tells what is right for another statement. Undefined, with nothing
 * written, when anything is out of the ordinary: an equal charge, somebody else at the same customer or key, a key that
 * has its answer. Then the transaction decides.
 */
export async function createAtOnce(service: Service, creation: Creation): Promise<Charge | undefined> {
  const { prepared, now } = creation;
  const { email } = prepared.terms.customer;
  if (!isOrdinary(service, prepared) || email === undefined) return undefined;
  const [{ merchantId, mode }] = prepared.accounts;
  const customer = { merchantId, mode, email: foldEmail(email) };
  const key = customerKey(customer);
  let guess = recallCustomer(key) ?? newId('customer', now);
  for (let tries = 0; tries < triesMax; tries++) {
    const { charge, customerId, isNonceUsed } = await write(service, creation, { ...customer, id: guess });
    if (charge) {
      noteCustomer(key, charge.customerId);
      service.announce(formatNotice({ objectId: charge.id, merchantId, mode }));
      return charge;
    }
    const known = customerId ?? guess;
    if (known === guess && !isNonceUsed) return undefined;
    guess = known;
  }
  return undefined;
}

/** One guess of the customer; and of nonces some, where an account has used up a good part of them. */
const triesMax = 5;

/**
 * A customer known by e-mail, an account whose payments a word tells apart, and a transaction that would be ours alone.
 */
function isOrdinary(service: Service, { terms, accounts }: PreparedCharge): boolean {
  const { phone } = terms.customer;
  return !isUnitOfWork(service) && phone === undefined && accounts[0].uniqueAmountsMax === null;
}

/** What is in the way of a guess: who the customer with the e-mail is, where there was one already, and the nonce. */
type Found = { customerId: string | null; isNonceUsed: boolean };
type Written = Found & { charge: Charge | undefined };
type Answer = Found & { isMade: boolean };

/** Told when another is in the way. */
const inTheWay = [sqlStates.uniqueViolation, sqlStates.deadlockDetected];

async function write(
  service: Service,
  { prepared, actor, address, now }: Creation,
  customer: { id: string; email: string },
): Promise<Written> {
  const [account] = prepared.accounts;
  const { customerMoney } = prepared;
  const own = { id: newId('charge', now), nonce: newNonce(), customerId: customer.id, now };
  const row = chargeRow(prepared, { ...own, account, customerMoney, amountAdded: null });
  const charge: Charge = { ...row, ...unpaid };
  const [event] = chargeEvents(charge, ['charge_created'], { actor, address, now }).map(eventRow);
  const rested = new Date(now.getTime() - nonceRestMs);
  const values = [rowJson(row), rowJson(event!), customer.email, rested];
  try {
    const [answer] = await queryPrepared<Answer>(
      service.pool,
      creationStatement(row, event!, undefined),
      values,
    );
    const { isMade, ...found } = answer!;
    return { ...found, charge: isMade ? charge : undefined };
  } catch (error) {
    if (!inTheWay.some((state) => hasSqlState(error, state))) throw error;
    // The transaction that comes next meets who that was.
    return { charge: undefined, customerId: null, isNonceUsed: false };
  }
}

const unpaid = { status: 'pending', amountReceived: 0n, completedBy: null, completedAt: null } as const;
