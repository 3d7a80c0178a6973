import type { Charge } from '../../../prisma/client/client.ts';
import { formatNotice } from '../../event/notice.ts';
import { eventRow } from '../../event/record-event.ts';
import { foldEmail } from '../../kit/contact.ts';
import { isInTransaction } from '../../kit/db.ts';
import { newId } from '../../kit/id.ts';
import { columnsOf, rowJson } from '../../kit/insert-rows.ts';
import { queryPrepared } from '../../kit/prepared.ts';
import { newNonce } from '../../method/nonce.ts';
import type { Service } from '../service.ts';
import { chargeEvents } from './charge-events.ts';
import { chargeRow } from './charge-row.ts';
import type { PreparedCharge } from './charge-terms.ts';
import { nonceRestMs } from './open-charge.ts';

type Creation = { prepared: PreparedCharge; actor: string; now: Date };
/** The customer as the first statement saw them: `version` is another after each creation for them. */
type Seen = { customerId: string | null; version: string | null; isTaken: boolean };

/**
 * Creates the charge of createCharge as its transaction would, in two statements: one looks, the other writes all of it
 * (customer, charge, event, kept answer) or nothing. Undefined, with nothing written, when anything is out of the
 * ordinary: an equal charge, a nonce in use, somebody else at the same customer or key. Then the transaction decides.
 */
export async function createAtOnce(service: Service, creation: Creation): Promise<Charge | undefined> {
  const { prepared, actor, now } = creation;
  const [account] = prepared.accounts;
  if (!isOrdinary(service, prepared)) return undefined;
  const nonce = newNonce();
  const seen = await look(service, creation, nonce);
  if (!seen || seen.isTaken) return undefined;
  const customerId = seen.customerId ?? newId('customer', now);
  const { customerMoney } = prepared;
  const id = newId('charge', now);
  const row = chargeRow(prepared, { id, nonce, customerId, account, customerMoney, amountAdded: null, now });
  const charge: Charge = {
    ...row,
    status: 'pending',
    amountReceived: 0n,
    completedBy: null,
    completedAt: null,
  };
  const kept = await service.once?.keptRow({ charge, isDuplicate: false });
  const [event] = chargeEvents(charge, ['charge_created'], { actor, now });
  if (!event || !(await write(service, { seen, row, event: eventRow(event), kept }))) return undefined;
  const { merchantId, mode } = charge;
  service.announce(formatNotice({ objectId: id, merchantId, mode }));
  return charge;
}

/** A customer known by e-mail, an account whose payments a word tells apart, and a transaction that would be ours alone. */
function isOrdinary(service: Service, { terms, accounts }: PreparedCharge): boolean {
  const { email, phone } = terms.customer;
  const isOwn =
    !isInTransaction(service) && !service.afterWork && (service.once !== undefined || !service.beforeCommit);
  return isOwn && email !== undefined && phone === undefined && accounts[0].uniqueAmountsMax === null;
}

/** Without locks: what it saw is compared again in the statement that writes. */
async function look(service: Service, { prepared, now }: Creation, nonce: string): Promise<Seen | undefined> {
  const { terms, accounts } = prepared;
  const [{ id: accountId, merchantId, mode }] = accounts;
  const { merchantMoney, method, notifyPayload, notifyUrl, customer } = terms;
  const values = [
    merchantId,
    mode,
    foldEmail(customer.email ?? ''),
    method,
    merchantMoney.minor,
    merchantMoney.currency,
    notifyPayload ?? null,
    notifyUrl ?? null,
    accountId,
    nonce,
    new Date(now.getTime() - nonceRestMs),
  ];
  const [seen] = await queryPrepared<Seen>(service, lookText, values);
  return seen;
}

const lookText = `
  SELECT customer.id AS "customerId", customer.xmin::text AS version,
    EXISTS (SELECT 1 FROM charge WHERE customer_id = customer.id AND status = 'pending' AND is_mergeable
      AND method = $4 AND merchant_amount = $5 AND merchant_currency = $6
      AND notify_payload IS NOT DISTINCT FROM $7 AND notify_url IS NOT DISTINCT FROM $8)
    OR EXISTS (SELECT 1 FROM charge WHERE receiving_account_id = $9 AND nonce = $10 AND created_at > $11) AS "isTaken"
  FROM (VALUES (1)) one LEFT JOIN customer ON merchant_id = $1 AND mode = $2::mode AND email = $3`;

type Rows = { seen: Seen; row: ReturnType<typeof chargeRow>; event: object; kept: object | undefined };

const uniqueViolation = '23505';
const deadlockDetected = '40P01';

/** Whether it was written: not when the customer has changed since, or another holds the key. */
async function write(service: Service, { seen, row, event, kept }: Rows): Promise<boolean> {
  const values: unknown[] = [rowJson(row), rowJson(event)];
  const place = (value: unknown) => `$${values.push(value)}`;
  const turn = service.once
    ? `pg_try_advisory_xact_lock(hashtextextended(${place(service.once.scope)}, 0))`
    : 'true';
  const text = `
    WITH turn AS (SELECT ${turn} AS is_ours),
    customer_now AS (${customerStatement(seen, row, place)}),
    kept AS (${kept ? keptStatement(kept, place) : 'SELECT 1 FROM customer_now'}),
    made AS (${insertion('charge', row, '$1', 'kept')} RETURNING id),
    told AS (${insertion('event', event, '$2', 'made')})
    SELECT count(*)::int AS made FROM made`;
  try {
    const [answer] = await queryPrepared<{ made: number }>(service, text, values);
    return answer?.made === 1;
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === uniqueViolation || code === deadlockDetected) return false;
    throw error;
  }
}

/** A new row, or the same row anew: another creation that looked before this one finds that it changed. */
function customerStatement(seen: Seen, row: Rows['row'], place: (value: unknown) => string): string {
  if (seen.customerId !== null) {
    return `UPDATE customer SET phone = phone FROM turn WHERE is_ours AND customer.id = ${place(seen.customerId)}
      AND customer.xmin::text = ${place(seen.version)} RETURNING customer.id`;
  }
  const { customerId: id, merchantId, mode, email, createdAt, updatedAt } = row;
  const customer = { id, merchantId, mode, email: foldEmail(email ?? ''), createdAt, updatedAt };
  return `${insertion('customer', customer, place(rowJson(customer)), 'turn')} WHERE is_ours RETURNING id`;
}

/** In place of an answer that has expired under the same key, but of no other. */
function keptStatement(kept: object, place: (value: unknown) => string): string {
  const members = Object.keys(kept).filter((member) => !['merchantId', 'mode', 'key'].includes(member));
  const columns = columnsOf(Object.fromEntries(members.map((member) => [member, null]))).split(', ');
  return `${insertion('idempotency_key', kept, place(rowJson(kept)), 'customer_now')}
    ON CONFLICT (merchant_id, mode, key) DO UPDATE SET ${columns.map((name) => `${name} = excluded.${name}`).join(', ')}
      WHERE idempotency_key.expires_at <= excluded.created_at RETURNING 1`;
}

/** Inserts the row in `json` when `source` has one. */
function insertion(table: string, row: object, json: string, source: string): string {
  const columns = columnsOf(row);
  const own = columns
    .split(', ')
    .map((name) => `row.${name}`)
    .join(', ');
  return `INSERT INTO ${table} (${columns})
    SELECT ${own} FROM ${source}, json_populate_record(NULL::${table}, ${json}::json) AS row`;
}
