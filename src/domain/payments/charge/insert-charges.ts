import type { Charge, ReceivingAccount } from '../../../../prisma/client/client.ts';
import { announceChange } from '../../../event/announce-change.ts';
import { type EventInput, toEventRow } from '../../../event/event-row.ts';
import type { SqlUnitOfWork } from '../../../event/transact-sql.ts';
import { minuteMs } from '../../../kit/duration.ts';
import { DomainError } from '../../../kit/errors.ts';
import { newId } from '../../../kit/id.ts';
import type { Sql } from '../../../kit/sql.ts';
import { paymentMethods } from '../../../method/catalog.ts';
import { createDestination } from '../../../method/destination.ts';
import { roundUpToPayable } from '../../../method/payable-amount.ts';
import { paymentReferenceCooldownMs } from '../../../method/payment-reference.ts';
import { type AuditContext, type Audited, toAuditRow } from '../../platform/audit/record-audit.ts';
import { toAmountDetail } from '../../platform/audit/to-amount-detail.ts';
import { toChargeEvents } from './charge-events.ts';
import type { PreparedCharge } from './charge-terms.ts';
import { chooseAccountAndAmount, type PaymentTarget } from './choose-account-and-amount.ts';
import { drawReferences } from './draw-references.ts';
import { insertChargeRows } from './insert-charge-rows.ts';
import { readCharge } from './read-charge.ts';
import type { ChargeChange } from './update-charges.ts';

type NewCharge = { id?: string; customerId: string; preparedCharge: PreparedCharge };
export type CreatedOrReusedCharge = { charge: Charge; isReused: boolean };

type CreationContext = ChargeChange & Audited;

const referenceAttemptsMax = 20;

/**
 * Inserts pending charges with their events and audit entries, in the caller's transaction. Each charge gets
 * a unique payment reference and, on an account that identifies payments by amount, a unique amount. Skips a
 * charge if no account has both.
 */
export async function insertCharges(
  unit: SqlUnitOfWork,
  requests: readonly NewCharge[],
  context: CreationContext,
): Promise<Charge[]> {
  return (await insertOrFindCharges(unit, requests, context)).charges;
}

/** Inserts one charge. Throws `method_unavailable` if no account has a free payment reference and amount. */
export async function insertCharge(
  unit: SqlUnitOfWork,
  request: NewCharge,
  context: CreationContext,
): Promise<Charge> {
  return (await insertOrReuseCharge(unit, request, context)).charge;
}

/**
 * Inserts one charge. If the terms are reusable and an equal charge is pending with at least half of its
 * window left, returns that charge instead. The caller must lock the customer's row to serialize concurrent
 * equal requests. Throws `method_unavailable` if no account has a free payment reference and amount.
 */
export async function insertOrReuseCharge(
  unit: SqlUnitOfWork,
  request: NewCharge,
  context: CreationContext,
): Promise<CreatedOrReusedCharge> {
  const { charges, equalChargeIds } = await insertOrFindCharges(unit, [request], context);
  const [charge] = charges;
  if (charge) return { charge, isReused: false };
  const [equalChargeId] = equalChargeIds;
  if (equalChargeId !== undefined)
    return { charge: await readCharge(unit.tx, equalChargeId), isReused: true };
  const { method } = request.preparedCharge.terms;
  throw new DomainError(
    'method_unavailable',
    `All payment references or unique amounts of your ${method} accounts are in use; add a receiving account or try again later`,
  );
}

type InsertionResult = { charges: Charge[]; equalChargeIds: string[] };

async function insertOrFindCharges(
  unit: SqlUnitOfWork,
  requests: readonly NewCharge[],
  context: CreationContext,
): Promise<InsertionResult> {
  const candidates = requests.map((request) => ({
    ...request,
    id: request.id ?? newId('charge', context.now),
    accounts: request.preparedCharge.accounts as readonly ReceivingAccount[],
  }));
  const hasUniqueAmount = ({ accounts }: ChargeCandidate) =>
    accounts.some(({ maxAmountOffset }) => maxAmountOffset !== null);
  // Charges with unique amounts are inserted one at a time: each reserves an amount, which the next must
  // avoid.
  const [individual, batchable] = [
    candidates.filter(hasUniqueAmount),
    candidates.filter((candidate) => !hasUniqueAmount(candidate)),
  ];
  const result: InsertionResult = { charges: [], equalChargeIds: [] };
  for (const batch of [batchable, ...individual.map((candidate) => [candidate])])
    await insertBatch(unit, batch, context, result);
  // Without a list of events in the unit of work, the events were inserted together with the charges.
  unit.events?.push(...toCreatedEvents(result.charges, context));
  for (const charge of result.charges) announceChange(unit, { ...charge, objectId: charge.id });
  return result;
}

/** A charge to be inserted. `accounts` are those that have not been tried yet. */
type ChargeCandidate = NewCharge & { id: string; accounts: readonly ReceivingAccount[] };

/** Tries each account in order, and generates new payment references for charges whose reference is taken. */
async function insertBatch(
  unit: SqlUnitOfWork,
  batch: readonly ChargeCandidate[],
  context: CreationContext,
  result: InsertionResult,
): Promise<void> {
  const usedSince = new Date(context.now.getTime() - paymentReferenceCooldownMs);
  for (let remaining = batch; remaining.length > 0; ) {
    const targets = await Promise.all(
      remaining.map((candidate) => assignAccount(unit.tx, candidate, context.now)),
    );
    let assignments = targets.filter((target) => target !== null);
    for (let attempt = 0; attempt < referenceAttemptsMax && assignments.length > 0; attempt++) {
      const accountIds = assignments.map(({ account }) => account.id);
      const references = await drawReferences(unit.tx, accountIds, { attempt, usedSince });
      const charges = assignments.map(
        (assignment, i): Charge => ({ ...toChargeRow(assignment, references[i]!), ...initialFields }),
      );
      const outcomes = await insertChargeRows(unit.tx, toNewChargeRows(unit, charges, context), {
        usedSince,
        now: context.now,
      });
      const doneIds = new Set(outcomes.map(({ id }) => id));
      result.charges.push(
        ...charges.filter(({ id }) =>
          outcomes.some((outcome) => outcome.id === id && outcome.equalChargeId === null),
        ),
      );
      result.equalChargeIds.push(...outcomes.flatMap(({ equalChargeId }) => equalChargeId ?? []));
      assignments = assignments.filter(({ id }) => !doneIds.has(id));
    }
    remaining = assignments
      .map((assignment) => ({
        ...assignment,
        accounts: assignment.accounts.filter(({ id }) => id !== assignment.account.id),
      }))
      .filter(({ accounts }) => accounts.length > 0);
  }
}

async function assignAccount(
  tx: Sql,
  { id, customerId, preparedCharge, accounts }: ChargeCandidate,
  now: Date,
) {
  const target = await chooseAccountAndAmount(
    tx,
    { accounts, customerMoney: preparedCharge.customerMoney },
    now,
  );
  return target && { id, customerId, preparedCharge, accounts, now, ...target };
}

function toNewChargeRows(unit: SqlUnitOfWork, charges: readonly Charge[], context: CreationContext) {
  const { audit } = context;
  return {
    charges,
    events: unit.events ? [] : toCreatedEvents(charges, context).map(toEventRow),
    auditEntries: audit ? charges.map((charge) => toCreatedAuditRow(charge, audit)) : [],
  };
}

function toCreatedAuditRow(charge: Charge, audit: AuditContext) {
  const { id: objectId, merchantId, mode } = charge;
  const detail = toAmountDetail(charge);
  return toAuditRow({ ...audit, merchantId, mode, action: 'charge.created', objectId, detail });
}

function toCreatedEvents(charges: readonly Charge[], context: CreationContext): EventInput[] {
  return charges.flatMap((charge) => toChargeEvents(charge, ['charge_created'], context));
}

const initialFields = {
  status: 'pending',
  amountReceived: 0n,
  feeAmount: 0n,
  completedBy: null,
  completedAt: null,
} as const;

/** Returns the row of a new charge, with the payment instructions for its payment reference. */
function toChargeRow(
  options: PaymentTarget & { id: string; customerId: string; preparedCharge: PreparedCharge; now: Date },
  paymentReference: string,
) {
  const { preparedCharge, account, customerMoney, amountOffset, now } = options;
  const { terms, rate } = preparedCharge;
  const paymentWindowMinutes = account.paymentWindowMinutes ?? preparedCharge.paymentWindowMinutes;
  const windowEnd = new Date(now.getTime() + paymentWindowMinutes * minuteMs);
  const { payableUntil } = terms;
  const destination = createDestination({
    method: terms.method,
    details: account.details,
    holder: account.holder,
    bank: account.bank,
    // The amount of a charge for a transfer may have a fraction that customers cannot pay.
    amount: roundUpToPayable(customerMoney, paymentMethods[terms.method]),
    paymentReference,
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
    amountOffset,
    rate: rate.rate,
    rateSource: rate.source,
    rateAt: rate.asOf,
    usdAmount: preparedCharge.usdMinor,
    method: terms.method,
    receivingAccountId: account.id,
    paymentReference,
    destination: destination as object,
    orders: terms.orders,
    notifyPayload: terms.notifyPayload ?? null,
    metadata: terms.metadata ?? null,
    note: null,
    notifyUrl: terms.notifyUrl ?? null,
    redirectUrl: terms.redirectUrl ?? null,
    language: terms.language ?? null,
    sessionId: terms.sessionId ?? null,
    checkoutLinkId: terms.checkoutLinkId ?? null,
    subscriptionId: terms.subscriptionId ?? null,
    invoiceId: terms.invoiceId ?? null,
    replacesId: terms.replacesId ?? null,
    isReusable: terms.isReusable ?? false,
    version: 1,
    expiresAt: payableUntil && payableUntil > windowEnd ? payableUntil : windowEnd,
    createdAt: now,
    updatedAt: now,
  };
}
