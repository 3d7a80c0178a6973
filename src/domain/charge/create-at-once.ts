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
 * event, kept answer) or nothing. Who the customer is, is guessed: one not seen yet is new. A wrong guess writes nothing
 * either, and tells the right one for a second statement. Undefined, with nothing written, when anything is out of the
 * ordinary: an equal charge, a nonce in use, somebody else at the same customer or key, a key that has its answer. Then
 * the transaction decides.
 */
export async function createAtOnce(service: Service, creation: Creation): Promise<Charge | undefined> {
  const { prepared, now } = creation;
  const { email } = prepared.terms.customer;
  if (!isOrdinary(service, prepared) || email === undefined) return undefined;
  const [{ merchantId, mode }] = prepared.accounts;
  const customer = { merchantId, mode, email: foldEmail(email) };
  const name = customerName(customer);
  const guess = recallCustomer(name) ?? newId('customer', now);
  const first = await write(service, creation, { ...customer, id: guess });
  const { customerId } = first;
  const isWrong = customerId !== null && customerId !== guess;
  const written = isWrong ? await write(service, creation, { ...customer, id: customerId }) : first;
  const { charge } = written;
  if (!charge) return undefined;
  noteCustomer(name, charge.customerId);
  service.announce(formatNotice({ objectId: charge.id, merchantId, mode }));
  return charge;
}

/**
 * A customer known by e-mail, an account whose payments a word tells apart, and a transaction that would be ours alone.
 */
function isOrdinary(service: Service, { terms, accounts }: PreparedCharge): boolean {
  const { phone } = terms.customer;
  const isOwn =
    !isInTransaction(service) && !service.afterWork && (service.once !== undefined || !service.beforeCommit);
  return isOwn && phone === undefined && accounts[0].uniqueAmountsMax === null;
}

/** The charge, where it was written, and who the customer with the e-mail is, where there was one already. */
type Written = { charge: Charge | undefined; customerId: string | null };
type Answer = { isMade: boolean; customerId: string | null };

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
    return { charge: answer?.isMade ? charge : undefined, customerId: answer?.customerId ?? null };
  } catch (error) {
    if (!inTheWay.some((state) => hasSqlState(error, state))) throw error;
    // The transaction that comes next meets who that was.
    return { charge: undefined, customerId: null };
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
        AND NOT EXISTS (
          SELECT 1 FROM charge rests
          WHERE rests.receiving_account_id = given.receiving_account_id AND rests.nonce = given.nonce
            AND rests.created_at > $4)),
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
    SELECT EXISTS (SELECT 1 FROM made) AS "isMade", (SELECT id FROM known) AS "customerId"`;
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
