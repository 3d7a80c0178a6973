import type { Charge } from '../../../prisma/client/client.ts';
import { formatNotice } from '../../event/notice.ts';
import { eventRow } from '../../event/record-event.ts';
import { foldEmail } from '../../kit/contact.ts';
import { isInTransaction } from '../../kit/db.ts';
import { newId } from '../../kit/id.ts';
import { columnsOf, rowJson } from '../../kit/insert-rows.ts';
import { queryPrepared } from '../../kit/prepared.ts';
import { hasSqlState, sqlStates } from '../../kit/sql-state.ts';
import { newNonce } from '../../method/nonce.ts';
import type { Service } from '../service.ts';
import { chargeEvents } from './charge-events.ts';
import { chargeRow } from './charge-row.ts';
import type { PreparedCharge } from './charge-terms.ts';
import { nonceRestMs } from './insert-charge.ts';
import { customerName, noteCustomer, recallCustomer } from './known-customers.ts';

type Creation = { prepared: PreparedCharge; actor: string; address: string | undefined; now: Date };

/**
 * Creates the charge of createCharge as its transaction would, in one statement that writes all of it (customer, charge,
 * event, kept answer) or nothing. Who the customer is, is guessed: one not seen yet is new; so is a nonce that rests. A
 * wrong guess writes nothing either, and tells what is right for another statement. Undefined, with nothing written, when
 * anything is out of the ordinary: an equal charge, somebody else at the same customer or key, a key that has its answer.
 * Then the transaction decides.
 */
export async function createAtOnce(service: Service, creation: Creation): Promise<Charge | undefined> {
  const { prepared, now } = creation;
  const { email } = prepared.terms.customer;
  if (!isOrdinary(service, prepared) || email === undefined) return undefined;
  const [{ merchantId, mode }] = prepared.accounts;
  const customer = { merchantId, mode, email: foldEmail(email) };
  const name = customerName(customer);
  let guess = recallCustomer(name) ?? newId('customer', now);
  for (let tries = 0; tries < triesMax; tries++) {
    const { charge, customerId, isNonceUsed } = await write(service, creation, { ...customer, id: guess });
    if (charge) {
      noteCustomer(name, charge.customerId);
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
  const isOwn =
    !isInTransaction(service) && !service.afterWork && (service.once !== undefined || !service.beforeCommit);
  return isOwn && phone === undefined && accounts[0].uniqueAmountsMax === null;
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
  const { once } = service;
  const [event] = chargeEvents(charge, ['charge_created'], { actor, address, now }).map(eventRow);
  const kept = await once?.keptRow({ charge, isDuplicate: false });
  const rested = new Date(now.getTime() - nonceRestMs);
  const values = [rowJson(row), rowJson(event!), customer.email, rested];
  if (once && kept) values.push(rowJson(kept), once.scope);
  try {
    const [answer] = await queryPrepared<Answer>(service, statement(row, event!, kept), values);
    const { isMade, ...found } = answer!;
    return { ...found, charge: isMade ? charge : undefined };
  } catch (error) {
    if (!inTheWay.some((state) => hasSqlState(error, state))) throw error;
    // The transaction that comes next meets who that was.
    return { charge: undefined, customerId: null, isNonceUsed: false };
  }
}

const unpaid = { status: 'pending', amountReceived: 0n, completedBy: null, completedAt: null } as const;

/** Of each of the two kinds, with a kept answer and without; rows of one kind have the same members. */
const statements = new Map<boolean, string>();

function statement(row: object, event: object, kept: object | undefined): string {
  const known = statements.get(kept !== undefined);
  if (known !== undefined) return known;
  const text = `
    WITH given AS (SELECT * FROM json_populate_record(NULL::charge, $1::json)),
    turn AS (SELECT ${kept ? 'pg_try_advisory_xact_lock(hashtextextended($6, 0))' : 'true'} AS is_ours),
    known AS (
      SELECT customer.id, customer.xmin AS version FROM given, customer
      WHERE customer.merchant_id = given.merchant_id AND customer.mode = given.mode AND customer.email = $3),
    rests AS (
      SELECT 1 FROM given, charge
      WHERE charge.receiving_account_id = given.receiving_account_id AND charge.nonce = given.nonce
        AND charge.created_at > $4 LIMIT 1),
    clear AS (
      SELECT 1 FROM given, turn WHERE is_ours
        AND NOT EXISTS (SELECT 1 FROM known WHERE known.id <> given.customer_id)
        AND NOT EXISTS (
          SELECT 1 FROM known, charge same
          WHERE same.customer_id = known.id AND same.status = 'pending' AND same.is_mergeable
            AND same.method = given.method AND same.merchant_amount = given.merchant_amount
            AND same.merchant_currency = given.merchant_currency
            AND same.notify_payload IS NOT DISTINCT FROM given.notify_payload
            AND same.notify_url IS NOT DISTINCT FROM given.notify_url)
        AND NOT EXISTS (SELECT 1 FROM rests)),
    -- The same row anew: another creation that began before this one finds that it changed.
    touched AS (
      UPDATE customer SET phone = phone FROM known, clear
      WHERE customer.id = known.id AND customer.xmin = known.version RETURNING customer.id),
    added AS (
      INSERT INTO customer (id, merchant_id, mode, email, created_at, updated_at)
        SELECT customer_id, merchant_id, mode, $3, created_at, updated_at FROM given, clear
        WHERE NOT EXISTS (SELECT 1 FROM known) RETURNING id),
    owner AS (SELECT id FROM touched UNION ALL SELECT id FROM added),
    kept AS (${kept ? keptStatement(kept) : 'SELECT 1 FROM owner'}),
    made AS (INSERT INTO charge (${columnsOf(row)}) SELECT ${columnsOf(row, 'given')} FROM given, kept RETURNING id),
    told AS (${insertion('event', event, '$2', 'made')})
    SELECT EXISTS (SELECT 1 FROM made) AS "isMade", (SELECT id FROM known) AS "customerId",
      EXISTS (SELECT 1 FROM rests) AS "isNonceUsed"`;
  statements.set(kept !== undefined, text);
  return text;
}

/** In place of an answer that has expired under the same key, but of no other. */
function keptStatement(kept: object): string {
  const members = Object.keys(kept).filter((member) => !['merchantId', 'mode', 'key'].includes(member));
  const columns = columnsOf(Object.fromEntries(members.map((member) => [member, null]))).split(', ');
  return `${insertion('idempotency_key', kept, '$5', 'owner')}
    ON CONFLICT (merchant_id, mode, key) DO UPDATE SET ${columns.map((name) => `${name} = excluded.${name}`).join(', ')}
      WHERE idempotency_key.expires_at <= excluded.created_at RETURNING 1`;
}

/** Inserts the row in `json` when `source` has one. */
function insertion(table: string, row: object, json: string, source: string): string {
  return `INSERT INTO ${table} (${columnsOf(row)})
    SELECT ${columnsOf(row, 'given')} FROM ${source}, json_populate_record(NULL::${table}, ${json}::json) AS given`;
}
