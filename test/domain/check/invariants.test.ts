import type pg from 'pg';
import { beforeAll, expect, test } from 'vitest';
import { renewSubscriptions } from '../../../src/domain/billing/subscription/renew-subscriptions.ts';
import { assignTransfer } from '../../../src/domain/money-in/transfer/assign-transfer.ts';
import { findViolations } from '../../../src/domain/operations/check/check-invariants.ts';
import { invariants } from '../../../src/domain/operations/check/invariants.ts';
import { chargeCheckoutLink } from '../../../src/domain/payments/checkout-link/charge-checkout-link.ts';
import { completeRefund } from '../../../src/domain/payments/refund/complete-refund.ts';
import { reopenRefund } from '../../../src/domain/payments/refund/reopen-refund.ts';
import { chargeSession } from '../../../src/domain/payments/session/charge-session.ts';
import { claimSession } from '../../../src/domain/payments/session/claim-session.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { relayEvents } from '../../../src/event/relay-events.ts';
import { seedCheckoutLink, seedSession } from '../../setup/checkout.ts';
import { cleanupAfterFile } from '../../setup/cleanup.ts';
import { deliverNotifications } from '../../setup/deliver-notifications.ts';
import { importFile } from '../../setup/import-file.ts';
import { expectInvariants } from '../../setup/invariants.ts';
import { seedWebhook } from '../../setup/notifications.ts';
import { payOut, returnPayout, seedPayableRefund } from '../../setup/payouts.ts';
import { startReceiver } from '../../setup/receiver.ts';
import { minutesAfter, noon, seedCharge, seedMerchant } from '../../setup/seed.ts';
import { setupService } from '../../setup/service.ts';
import { csvMapping } from '../../setup/statement-files.ts';
import { completeCharge, seedActiveSubscription, seedPlan } from '../../setup/subscriptions.ts';
import { payCharge, seedUnmatchedTransfer } from '../../setup/transfers.ts';

const onCleanup = cleanupAfterFile();

/** Each promise of `causeway check`, broken by hand in a world that keeps them all. */

let service: Service;
let client: pg.PoolClient;

beforeAll(async () => {
  service = await setupService(onCleanup);
  await makeWorld();
  await expectInvariants(service);
  client = await service.pool.connect();
  onCleanup(() => client.release());
});

/** One of everything, each made the usual way. */
async function makeWorld(): Promise<void> {
  await using receiver = await startReceiver();
  const merchant = await seedMerchant(service);
  const other = await seedMerchant(service, { name: 'Peak Coffee' });
  const owner = { merchantId: merchant.merchant.id, mode: 'live', actor: 'user:usr_1', now: noon } as const;
  await seedWebhook(service, merchant, { url: receiver.url, notificationVersion: '1.0' });
  await seedCharge(service, other);
  const charge = await seedCharge(service, merchant, { input: { notifyUrl: `${receiver.url}/callback` } });
  const waiting = await seedCharge(service, merchant, { input: { email: 'bob@example.com' } });
  await payCharge(service, merchant, charge, { now: noon });
  await payCharge(service, merchant, waiting, { minor: 100n, now: noon });
  await seedCharge(service, merchant, { input: { email: 'cyd@example.com' } });
  const exception = await seedUnmatchedTransfer(service, merchant, { charge, minor: 500n });
  await seedUnmatchedTransfer(service, merchant, { charge, minor: 700n, reference: 'another' });
  await assignTransfer(service, {
    ...owner,
    merchant: merchant.merchant,
    assignment: { transferId: exception.id, parts: [{ chargeId: waiting.id }] },
    audit: { actor: owner.actor, now: noon },
  });
  const refund = await seedPayableRefund(service, merchant);
  await payOut(service, merchant, refund);
  await returnPayout(service, merchant, refund);
  await reopenRefund(service, { ...owner, id: refund.id, reason: 'It came back.' });
  const paid = await seedPayableRefund(service, merchant);
  await completeRefund(service, { ...owner, id: paid.id });
  await seedPayableRefund(service, merchant);
  const session = await seedSession(service, merchant, { input: { currency: 'HKD' }, now: noon });
  const claim = { id: session.id, browserToken: 'browser', canTakeOver: false, now: noon };
  const { session: claimed } = await claimSession(service, claim);
  const choice = { method: 'fps', customer: { email: 'dora@example.com' }, now: noon } as const;
  const chosen = { ...choice, merchant: merchant.merchant };
  await chargeSession(service, { ...chosen, session: claimed, browserToken: 'browser' });
  await seedSession(service, merchant, { input: { currency: 'HKD' }, now: noon });
  const link = await seedCheckoutLink(service, merchant, { now: noon });
  await chargeCheckoutLink(service, { ...chosen, link, visitor: { address: '198.51.100.7' } });
  const plan = await seedPlan(service, merchant, { input: { numPayments: 3 } });
  await seedActiveSubscription(service, merchant, { plan });
  await seedActiveSubscription(service, merchant, { plan, email: 'eve@example.com' });
  const due = new Date('2026-12-16T12:00:00.000Z');
  await renewSubscriptions(service, { now: due });
  const [asked] = await service.prisma.charge.findMany({ where: { invoiceId: { not: null } }, take: 1 });
  await completeCharge(service, asked!, due);
  await importFile(service, merchant, {
    content: 'Date,Amount,Text\n2026-11-17,1.23,hello\n',
    receivingAccountId: charge.receivingAccountId,
    mapping: csvMapping({ referenceColumns: ['Text'] }),
    now: minutesAfter(noon, 60),
  });
  await relayEvents(service, { now: due });
  await deliverNotifications(service, { clock: { now: () => due } });
}

const one = (table: string, where = 'true') => `(SELECT id FROM ${table} WHERE ${where} ORDER BY id LIMIT 1)`;
const set = (table: string, change: string, where = 'true') =>
  `UPDATE ${table} SET ${change} WHERE id = ${one(table, where)}`;
const gone = (table: string, where: string) => `DELETE FROM ${table} WHERE ${where}`;
const twice = (table: string, where: string, change: string) =>
  `INSERT INTO ${table} SELECT (jsonb_populate_record(t, ${change})).* FROM ${table} t WHERE t.id = ${one(table, where)}`;
const fresh = (rest = '') => `jsonb_build_object('id', t.id || 'x' ${rest})`;

/** By the promise: how it is broken. */
const breaks: Record<string, string> = {
  charge_received: set('charge', 'amount_received = amount_received + 1', `completed_by = 'transfer'`),
  transfer_allocated: set('allocation', 'amount = amount - 1', `reason = 'matched'`),
  transfer_fully_allocated: set('transfer', `status = 'duplicate'`, `status = 'matched'`),
  account_balances: set('transfer', 'amount = amount + 1', `status = 'matched'`),
  duplicate_unique_per_source: `UPDATE transfer SET duplicate_of_id = ${one('transfer')}, source = 'manual', file_kind = NULL,
    status = 'duplicate', statement_id = NULL WHERE status = 'exception'; ${twice('transfer', `status = 'duplicate'`, fresh(`, 'bank_reference', 'again'`))}`,
  completed_charge_paid: set('charge', 'customer_amount = amount_received * 2', `completed_by = 'transfer'`),
  ended_charge_unpaid: `UPDATE charge SET status = 'expired' WHERE status = 'pending';
    UPDATE charge SET amount_received = 5 WHERE id = ${one('charge', `status = 'expired' AND amount_received = 0`)}`,
  refund_within_charge: set('refund', 'customer_amount = customer_amount * 1000'),
  refund_payout_details_present: set('refund', 'details_encrypted = NULL', `status = 'processing'`),
  refund_of_completed_charge: `UPDATE charge SET status = 'cancelled' WHERE id = (SELECT charge_id FROM refund LIMIT 1)`,
  money_in_one_currency: set('refund', `customer_currency = 'SGD'`),
  charge_counts: set('charge_count_delta', `to_status = 'expired'`, 'to_status IS NOT NULL'),
  session_charged_once: set('checkout_session', `status = 'initiated'`, `status = 'charged'`),
  session_has_one_charge: `DROP INDEX charge_session_id_key;
    ${twice('charge', 'session_id IS NOT NULL', fresh(`, 'payment_reference', 'ZZZZZ9999'`))}`,
  open_payment_reference_unique: `DROP INDEX charge_pending_payment_reference_key; ${twice('charge', `status = 'pending'`, fresh(`, 'session_id', NULL`))}`,
  charge_completion_recorded: set('charge', 'completed_at = NULL', `status = 'completed'`),
  checkout_link_uses: set('checkout_link', 'uses = uses + 1'),
  checkout_slot_of_unpaid_charge: `INSERT INTO checkout_slot (object_id, network_hash, merchant_id, mode, expires_at, created_at)
    SELECT id, 'hash', merchant_id, mode, expires_at, created_at FROM charge WHERE status = 'completed' LIMIT 1`,
  checkout_slot_of_unpaid_subscription: `INSERT INTO checkout_slot (object_id, network_hash, merchant_id, mode, expires_at, created_at)
    SELECT subscription_id, 'hash', merchant_id, mode, expires_at, created_at FROM charge
    WHERE status = 'completed' AND subscription_id IS NOT NULL LIMIT 1`,
  used_phone_code_has_charge: `INSERT INTO phone_verification (merchant_id, mode, phone, status, code_hash, token_hash,
      charge_id, expires_at, created_at)
    SELECT id, 'live', '+85251234567', 'used', 'hash', 'hash', 'ch_none', now(), now() FROM merchant LIMIT 1`,
  refund_paid_once: set('refund_payout', 'returned_transfer_id = NULL', 'returned_transfer_id IS NOT NULL'),
  payout_matches_transfer: set('refund_payout', 'amount = amount + 1', 'transfer_id IS NOT NULL'),
  payout_transfer_outgoing: `UPDATE transfer SET reason = 'reversed' WHERE id = (SELECT transfer_id FROM refund_payout WHERE transfer_id IS NOT NULL LIMIT 1)`,
  returned_payout_allocated: `UPDATE allocation SET amount = amount - 1 WHERE refund_id IS NOT NULL`,
  statement_entries_recorded: set('statement', 'entry_count = entry_count + 1'),
  statement_result_counts_add_up: set('statement', `result_counts = '{}'`),
  statement_undone_whole: set('statement', 'undone_count = undone_count + 1'),
  statement_transfer_count: `UPDATE transfer SET statement_id = ${one('statement')}`,
  subscription_paid_by_charges: set('subscription', 'num_payments_complete = num_payments_complete + 1'),
  subscription_next_action_scheduled: set('subscription', 'due_at = NULL', `status = 'active'`),
  subscription_next_payment: set('subscription', `next_payment = now()`, `status = 'active'`),
  subscription_completed_when_paid: `UPDATE subscription_plan SET num_payments = 1`,
  ended_subscription_requests_no_payment: `UPDATE subscription SET status = 'cancelled'`,
  subscription_ended_at: set('subscription', 'ended_at = now()', `status = 'active'`),
  subscription_one_payment_request: twice(
    'charge',
    `status = 'pending' AND subscription_id IS NOT NULL`,
    fresh(`, 'payment_reference', 'ZZZZZ9999'`),
  ),
  invoice_paid_by_its_charge: set('invoice', 'charge_id = NULL', `status = 'paid'`),
  invoice_numbers_without_gaps: `UPDATE invoice_counter SET last = last + 1`,
  charge_has_its_events: gone('event', `type = 'charge_created' AND object_id = ${one('charge')}`),
  session_has_its_events: gone('event', `type = 'session_charged'`),
  refund_has_its_events: gone('event', `type = 'refund_completed'`),
  subscription_has_its_events: gone('event', `type = 'subscription_paid'`),
  invoice_has_its_event: gone('event', `type = 'subscription_invoice_due'`),
  transfer_has_its_event: gone('event', `type = 'transfer_exception'`),
  one_time_event_unique: twice(
    'event',
    `type = 'CHARGE_COMPLETE'`,
    fresh(`, 'object_version', 90, 'sequence', NULL`),
  ),
  event_versions_unique: `UPDATE event SET object_version = 1`,
  event_log_in_order: `UPDATE event SET object_version = 10 - object_version`,
  relayed_event_has_sequence: set('event', 'relayed_at = NULL'),
  event_numbers_without_gaps: `UPDATE event_counter SET last = last + 1`,
  callback_recorded: gone('notification', `kind = 'callback'`),
  webhook_notified: gone('notification', `kind = 'webhook'`),
  event_payload_identifies_event: set(
    'event',
    `payload = replace(payload, '"mode":"live"', '"mode":"sandbox"')`,
  ),
  notification_event_type_matches: set('notification', `event_type = 'refund_completed'`),
  notification_attempts_recorded: gone('notification_attempt', 'true'),
  notification_next_attempt_scheduled: set('notification', `next_attempt_at = now()`, `status = 'delivered'`),
  one_merchant_and_mode: set('charge', `mode = 'sandbox'`),
  decision_in_audit_trail: gone('audit_entry', `action = 'transfer.assigned'`),
  configuration_in_audit_trail: gone('audit_entry', `action = 'webhook.created'`),
  audit_trail_append_only: 'ALTER TABLE audit_entry DISABLE TRIGGER audit_entry_append_only',
};

test('every promise is tried', () => {
  expect(Object.keys(breaks).sort()).toEqual(invariants.map(({ name }) => name).sort());
});

test.each(Object.entries(breaks))('%s: what breaks it is found, and named', async (name, sql) => {
  await client.query('BEGIN');
  try {
    // As somebody at work in the database by hand, past its checks.
    await client.query(`ALTER TABLE transfer DROP CONSTRAINT transfer_allocated_in_range,
      DROP CONSTRAINT transfer_allocated_consistent; ALTER TABLE statement DROP CONSTRAINT statement_status_consistent`);
    await client.query(`SET LOCAL session_replication_role = replica; ${sql}`);
    const violations = await findViolations(client);
    const { count, examples } = violations.find((violation) => violation.name === name) ?? {};
    expect(count).toBeGreaterThan(0);
    expect(examples).not.toContain('null');
  } finally {
    await client.query('ROLLBACK');
  }
});
