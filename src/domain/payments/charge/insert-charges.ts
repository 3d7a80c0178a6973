import type { Charge, ReceivingAccount } from '../../../../prisma/client/client.ts';
import { announceChange } from '../../../event/announce-change.ts';
import { type EventInput, eventRow } from '../../../event/event-row.ts';
import type { SqlUnit } from '../../../event/transact-sql.ts';
import { minuteMs } from '../../../kit/duration.ts';
import { DomainError } from '../../../kit/errors.ts';
import { newId } from '../../../kit/id.ts';
import type { Sql } from '../../../kit/sql.ts';
import { makeDestination } from '../../../method/destination.ts';
import { newNonce, nonceCooldownMs } from '../../../method/nonce.ts';
import { type Audited, auditRow } from '../../platform/audit/record-audit.ts';
import { chargeEvents } from './charge-events.ts';
import type { PreparedCharge } from './charge-terms.ts';
import { findPlace, type Place } from './find-place.ts';
import { insertFreeCharges } from './insert-free-charges.ts';
import { readCharge } from './read-charge.ts';
import type { ChargeChange } from './update-charges.ts';

type NewCharge = { id?: string; customerId: string; prepared: PreparedCharge };
export type CreatedCharge = { charge: Charge; isDuplicate: boolean };

type Creation = ChargeChange & Audited;

const nonceTriesMax = 20;

/**
 * Inserts pending charges, each with a nonce of its own (and an amount of its own, where that identifies the payment),
 * with their events and audit entries, in the caller's transaction. A charge is left out where nearly all nonces of
 * every account are used or in cooldown.
 */
export async function insertCharges(
  unit: SqlUnit,
  requests: readonly NewCharge[],
  creation: Creation,
): Promise<Charge[]> {
  return (await insertOrFind(unit, requests, creation)).charges;
}

/** As insertCharges, for one. Error: `method_unavailable` where no account has a free nonce. */
export async function insertCharge(unit: SqlUnit, request: NewCharge, creation: Creation): Promise<Charge> {
  return (await insertUnlessEqual(unit, request, creation)).charge;
}

/**
 * As insertCharge, but returns an equal charge that is pending with at least half of its window left, where the terms
 * are mergeable. The customer's row must be locked, so that equal creations at once run one after the other.
 */
export async function insertUnlessEqual(
  unit: SqlUnit,
  request: NewCharge,
  creation: Creation,
): Promise<CreatedCharge> {
  const { charges, equalIds } = await insertOrFind(unit, [request], creation);
  const [charge] = charges;
  if (charge) return { charge, isDuplicate: false };
  const [equalId] = equalIds;
  if (equalId !== undefined) return { charge: await readCharge(unit.tx, equalId), isDuplicate: true };
  const { method } = request.prepared.terms;
  throw new DomainError(
    'method_unavailable',
    `No payment reference is available on the accounts for ${method}`,
  );
}

type Result = { charges: Charge[]; equalIds: string[] };

async function insertOrFind(
  unit: SqlUnit,
  requests: readonly NewCharge[],
  creation: Creation,
): Promise<Result> {
  const placings = requests.map((request) => ({
    ...request,
    id: request.id ?? newId('charge', creation.now),
    accounts: request.prepared.accounts as readonly ReceivingAccount[],
  }));
  const hasUniqueAmount = ({ accounts }: Placing) =>
    accounts.some(({ uniqueAmountsMax }) => uniqueAmountsMax !== null);
  // An amount that one charge takes is not free for the next.
  const [single, together] = [
    placings.filter(hasUniqueAmount),
    placings.filter((it) => !hasUniqueAmount(it)),
  ];
  const result: Result = { charges: [], equalIds: [] };
  for (const batch of [together, ...single.map((it) => [it])])
    await insertBatch(unit, batch, creation, result);
  // Behind the events that the unit of work has not written yet.
  unit.events?.push(...createdEvents(result.charges, creation));
  for (const charge of result.charges) announceChange(unit, { ...charge, objectId: charge.id });
  return result;
}

/** A charge to insert, and the accounts that it has not tried yet. */
type Placing = NewCharge & { id: string; accounts: readonly ReceivingAccount[] };

/** Tries each account in turn, with new nonces for those whose nonce is not free. */
async function insertBatch(
  unit: SqlUnit,
  batch: readonly Placing[],
  creation: Creation,
  result: Result,
): Promise<void> {
  for (let waiting = batch; waiting.length > 0; ) {
    let open = await Promise.all(waiting.map((it) => placeCharge(unit.tx, it, creation.now)));
    for (let tries = 0; tries < nonceTriesMax && open.length > 0; tries++) {
      const charges = open.map((place): Charge => ({ ...chargeRow(place, newNonce()), ...unpaid }));
      const found = await insertFreeCharges(unit.tx, recordsOf(unit, charges, creation), {
        usedSince: new Date(creation.now.getTime() - nonceCooldownMs),
        now: creation.now,
      });
      const isDone = new Set(found.map(({ id }) => id));
      result.charges.push(
        ...charges.filter(({ id }) => found.some((it) => it.id === id && it.equalId === null)),
      );
      result.equalIds.push(...found.flatMap(({ equalId }) => equalId ?? []));
      open = open.filter(({ id }) => !isDone.has(id));
    }
    waiting = open
      .map((it) => ({ ...it, accounts: it.accounts.filter(({ id }) => id !== it.account.id) }))
      .filter(({ accounts }) => accounts.length > 0);
  }
}

async function placeCharge(tx: Sql, { id, customerId, prepared, accounts }: Placing, now: Date) {
  const place = await findPlace(tx, { accounts, customerMoney: prepared.customerMoney }, now);
  return { id, customerId, prepared, accounts, now, ...place };
}

/** The rows that are written for charges. */
function recordsOf(unit: SqlUnit, charges: readonly Charge[], creation: Creation) {
  const { audit } = creation;
  return {
    charges,
    events: unit.events ? [] : createdEvents(charges, creation).map(eventRow),
    auditEntries: charges.flatMap(({ id, merchantId, mode }) =>
      audit ? auditRow({ ...audit, merchantId, mode, action: 'charge.created', objectId: id }) : [],
    ),
  };
}

function createdEvents(charges: readonly Charge[], change: Creation): EventInput[] {
  return charges.flatMap((charge) => chargeEvents(charge, ['charge_created'], change));
}

const unpaid = { status: 'pending', amountReceived: 0n, completedBy: null, completedAt: null } as const;

/** The row of a new charge, with the payment instructions for its nonce. */
function chargeRow(
  options: Place & { id: string; customerId: string; prepared: PreparedCharge; now: Date },
  nonce: string,
) {
  const { prepared, account, customerMoney, amountAdded, now } = options;
  const { terms, rate } = prepared;
  const windowMinutes = account.windowMinutes ?? prepared.windowMinutes;
  const windowEnd = new Date(now.getTime() + windowMinutes * minuteMs);
  const { payableUntil } = terms;
  const destination = makeDestination({
    method: terms.method,
    details: account.details,
    holder: account.holder,
    bank: account.bank,
    amount: customerMoney,
    nonce,
    demo: account.demo,
  });
  return {
    id: options.id,
    merchantId: account.merchantId,
    mode: account.mode,
    customerId: options.customerId,
    email: terms.customer.email ?? null,
    phone: terms.customer.phone ?? null,
    firstName: terms.customer.firstName ?? null,
    lastName: terms.customer.lastName ?? null,
    merchantAmount: terms.merchantMoney.minor,
    merchantCurrency: terms.merchantMoney.currency,
    customerAmount: customerMoney.minor,
    customerCurrency: customerMoney.currency,
    amountAdded,
    rate: rate.rate,
    rateSource: rate.source,
    rateAt: rate.asOf,
    usdAmount: prepared.usdMinor,
    method: terms.method,
    receivingAccountId: account.id,
    nonce,
    destination: destination as object,
    orders: terms.orders,
    notifyPayload: terms.notifyPayload ?? null,
    notifyUrl: terms.notifyUrl ?? null,
    redirectUrl: terms.redirectUrl ?? null,
    sessionId: terms.sessionId ?? null,
    checkoutLinkId: terms.checkoutLinkId ?? null,
    subscriptionId: terms.subscriptionId ?? null,
    invoiceId: terms.invoiceId ?? null,
    isMergeable: terms.isMergeable ?? false,
    version: 1,
    expiresAt: payableUntil && payableUntil > windowEnd ? payableUntil : windowEnd,
    createdAt: now,
    updatedAt: now,
  };
}
