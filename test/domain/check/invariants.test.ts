import { expect } from 'vitest';
import { renewSubscriptions } from '../../../src/domain/billing/collection/renew-subscriptions.ts';
import { assignTransfer } from '../../../src/domain/money-in/transfer/review/assign-transfer.ts';
import { findViolations } from '../../../src/domain/operations/check/check-invariants.ts';
import { invariants } from '../../../src/domain/operations/check/invariants.ts';
import { chargeCheckoutLink } from '../../../src/domain/payments/checkout-link/charge-checkout-link.ts';
import { completeRefund } from '../../../src/domain/payments/refund/complete-refund.ts';
import { reopenRefund } from '../../../src/domain/payments/refund/reopen-refund.ts';
import { chargeSession } from '../../../src/domain/payments/session/charge-session.ts';
import { claimSession } from '../../../src/domain/payments/session/claim-session.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { relayEvents } from '../../../src/event/relay-events.ts';
import { newId } from '../../../src/kit/id.ts';
import { seedCheckoutLink, seedSession } from '../../setup/checkout.ts';
import { deliverNotifications } from '../../setup/deliver-notifications.ts';
import { seedBankFeed } from '../../setup/feeds.ts';
import { serviceTest } from '../../setup/fixtures.ts';
import { importFile } from '../../setup/import-file.ts';
import { expectInvariants } from '../../setup/invariants.ts';
import { seedWebhook } from '../../setup/notifications.ts';
import { payOut, returnPayout, reverseReturn, seedPayableRefund } from '../../setup/payouts.ts';
import { startReceiver } from '../../setup/receiver.ts';
import { minutesAfter, noon, seedCharge, seedMerchant } from '../../setup/seed.ts';
import { seedUser } from '../../setup/sign-in.ts';
import { csvMapping } from '../../setup/statement-files.ts';
import { completeCharge, seedActiveSubscription, seedPlan } from '../../setup/subscriptions.ts';
import { payCharge, seedUnmatchedTransfer } from '../../setup/transfers.ts';

/** Violates each invariant of `causeway check` in a database in which all of them hold. */

const test = serviceTest.extend('client', { scope: 'file' }, async ({ service, onFileCleanup }) => {
  await seedAllObjects(service);
  await expectInvariants(service);
  const client = await service.pool.connect();
  onFileCleanup(() => client.release());
  return client;
});

/** Creates an object of every kind that an invariant covers, by the operations of the domain. */
async function seedAllObjects(service: Service): Promise<void> {
  await using receiver = await startReceiver();
  const merchant = await seedMerchant(service);
  const other = await seedMerchant(service, { name: 'Peak Coffee' });
  const owner = { merchantId: merchant.merchant.id, mode: 'live', actor: 'user:usr_1', now: noon } as const;
  await seedWebhook(service, merchant, { url: receiver.url, notificationVersion: '1.0' });
  await seedCharge(service, other);
  const charge = await seedCharge(service, merchant, { input: { notifyUrl: `${receiver.url}/callback` } });
  const partlyPaid = await seedCharge(service, merchant, { input: { email: 'bob@example.com' } });
  await payCharge(service, merchant, charge, { now: noon });
  await payCharge(service, merchant, partlyPaid, { minor: 100n, now: noon });
  await seedCharge(service, merchant, { input: { email: 'cyd@example.com' } });
  const unmatched = await seedUnmatchedTransfer(service, merchant, { charge, minor: 500n });
  await seedUnmatchedTransfer(service, merchant, { charge, minor: 700n, reference: 'another' });
  await assignTransfer(service, {
    ...owner,
    merchant: merchant.merchant,
    assignment: { transferId: unmatched.id, parts: [{ chargeId: partlyPaid.id }] },
    audit: { actor: owner.actor, now: noon },
  });
  const refund = await seedPayableRefund(service, merchant);
  await payOut(service, merchant, refund);
  await returnPayout(service, merchant, refund);
  await reopenRefund(service, { ...owner, id: refund.id, reason: 'It came back.' });
  await reverseReturn(service, merchant, refund);
  const paid = await seedPayableRefund(service, merchant);
  await completeRefund(service, { ...owner, id: paid.id });
  await seedPayableRefund(service, merchant);
  const session = await seedSession(service, merchant, { input: { currency: 'HKD' }, now: noon });
  const claim = { id: session.id, browserToken: 'browser', canTakeOver: false, now: noon };
  const { session: claimed } = await claimSession(service, claim);
  const choice = { method: 'fps', customer: { email: 'dora@example.com' }, now: noon } as const;
  const charging = { ...choice, merchant: merchant.merchant };
  await chargeSession(service, { ...charging, session: claimed, browserToken: 'browser' });
  await seedSession(service, merchant, { input: { currency: 'HKD' }, now: noon });
  const link = await seedCheckoutLink(service, merchant, { now: noon });
  await chargeCheckoutLink(service, { ...charging, link, visitor: { ipAddress: '198.51.100.7' } });
  const plan = await seedPlan(service, merchant, { input: { numPayments: 3 } });
  await seedActiveSubscription(service, merchant, { plan });
  await seedActiveSubscription(service, merchant, { plan, email: 'eve@example.com' });
  const due = new Date('2026-12-16T12:00:00.000Z');
  await renewSubscriptions(service, { now: due });
  const [renewal] = await service.prisma.charge.findMany({ where: { invoiceId: { not: null } }, take: 1 });
  await completeCharge(service, renewal!, due);
  const { receivingAccountId } = charge;
  const feed = await seedBankFeed(service, merchant, { receivingAccountId });
  await service.prisma.feedDelivery.create({
    data: {
      ...{ id: newId('feedDelivery', noon), merchantId: owner.merchantId, mode: 'live', feedId: feed.id },
      ...{ status: 'ignored', ipAddress: '203.0.113.7', size: 2, bodyHash: 'hash', createdAt: noon },
    },
  });
  const user = { merchantId: owner.merchantId, email: 'ada@example.com', role: 'owner', now: noon } as const;
  const { id: userId } = await seedUser(service, user);
  await service.prisma.noticeSetting.create({
    data: { userId, channel: 'email', topic: 'payments', frequency: 'daily', nextAt: noon },
  });
  await importFile(service, merchant, {
    content: 'Date,Amount,Text\n2026-11-17,1.23,hello\n',
    receivingAccountId: charge.receivingAccountId,
    mapping: csvMapping({ referenceColumns: ['Text'] }),
    now: minutesAfter(noon, 60),
  });
  await relayEvents(service, { now: due });
  await deliverNotifications(service, { clock: { now: () => due } });
}

const selectId = (table: string, where = 'true') =>
  `(SELECT id FROM ${table} WHERE ${where} ORDER BY id LIMIT 1)`;
const update = (table: string, change: string, where = 'true') =>
  `UPDATE ${table} SET ${change} WHERE id = ${selectId(table, where)}`;
const remove = (table: string, where: string) => `DELETE FROM ${table} WHERE ${where}`;
const copy = (table: string, where: string, change: string) =>
  `INSERT INTO ${table} SELECT (jsonb_populate_record(t, ${change})).* FROM ${table} t WHERE t.id = ${selectId(table, where)}`;
const replaceId = (otherColumns = '') => `jsonb_build_object('id', t.id || 'x' ${otherColumns})`;

const violationSql: Record<string, string> = {
  charge_fee: update('charge', 'fee_amount = 1', `completed_by = 'transfer'`),
  charge_received: update('charge', 'amount_received = amount_received + 1', `completed_by = 'transfer'`),
  transfer_allocated: update('allocation', 'amount = amount - 1', `reason = 'matched'`),
  transfer_fully_allocated: update('transfer', `status = 'duplicate'`, `status = 'matched'`),
  reversed_credit_returned: update(
    'allocation',
    'amount = amount - 1',
    `reason = 'reversed' AND refund_id IS NULL`,
  ),
  reversed_money_has_reversal: update('transfer', 'reversal_of_id = NULL', 'reversal_of_id IS NOT NULL'),
  account_balances: update('transfer', 'amount = amount + 1', `status = 'matched'`),
  duplicate_unique_per_source: `UPDATE transfer SET duplicate_of_id = ${selectId('transfer')}, source = 'manual', file_kind = NULL,
    status = 'duplicate', statement_id = NULL WHERE status = 'exception'; ${copy('transfer', `status = 'duplicate'`, replaceId(`, 'bank_reference', 'again'`))}`,
  completed_charge_paid: update(
    'charge',
    'customer_amount = amount_received * 2',
    `completed_by = 'transfer'`,
  ),
  paid_charge_completed: update('charge', 'amount_received = customer_amount', `status = 'pending'`),
  ended_charge_unpaid: `UPDATE charge SET status = 'expired' WHERE status = 'pending';
    UPDATE charge SET amount_received = 5 WHERE id = ${selectId('charge', `status = 'expired' AND amount_received = 0`)}`,
  refund_within_charge: update('refund', 'customer_amount = customer_amount * 1000'),
  open_refund_covered: update('refund', 'customer_amount = customer_amount * 1000', `status = 'processing'`),
  refund_payout_details_present: update('refund', 'details_encrypted = NULL', `status = 'processing'`),
  cancelled_refund_not_payable: update('refund', `status = 'cancelled'`, `status = 'processing'`),
  refund_of_completed_charge: `UPDATE charge SET status = 'cancelled' WHERE id = (SELECT charge_id FROM refund LIMIT 1)`,
  refund_account: `UPDATE refund SET receiving_account_id = (
    SELECT id FROM receiving_account a WHERE a.id <> refund.receiving_account_id LIMIT 1)`,
  money_in_one_currency: update('refund', `customer_currency = 'SGD'`),
  bank_account_shared: `UPDATE receiving_account SET shared_bank_account_id = 'acc_'
    WHERE id = (SELECT max(id) FROM receiving_account)`,
  charge_counts: update('charge_count_delta', `to_status = 'expired'`, 'to_status IS NOT NULL'),
  session_charged_once: update('checkout_session', `status = 'initiated'`, `status = 'charged'`),
  session_has_one_open_charge: `DROP INDEX charge_session_id_key;
    ${copy('charge', 'session_id IS NOT NULL', replaceId(`, 'payment_reference', 'ZZZZZ9999'`))}`,
  replaced_charge_ended: `UPDATE charge SET replaces_id = 'ch_none' WHERE id = (SELECT min(id) FROM charge)`,
  open_payment_reference_unique: `DROP INDEX charge_pending_payment_reference_key; ${copy('charge', `status = 'pending'`, replaceId(`, 'session_id', NULL`))}`,
  charge_completion_recorded: update('charge', 'completed_at = NULL', `status = 'completed'`),
  checkout_link_uses: update('checkout_link', 'uses = uses + 1'),
  checkout_slot_of_unpaid_charge: `INSERT INTO checkout_slot (object_id, network_hash, merchant_id, mode, expires_at, created_at)
    SELECT id, 'hash', merchant_id, mode, expires_at, created_at FROM charge WHERE status = 'completed' LIMIT 1`,
  checkout_slot_of_unpaid_subscription: `INSERT INTO checkout_slot (object_id, network_hash, merchant_id, mode, expires_at, created_at)
    SELECT subscription_id, 'hash', merchant_id, mode, expires_at, created_at FROM charge
    WHERE status = 'completed' AND subscription_id IS NOT NULL LIMIT 1`,
  used_phone_code_has_charge: `INSERT INTO phone_verification (merchant_id, mode, phone, status, code_hash, token_hash,
      charge_id, expires_at, created_at)
    SELECT id, 'live', '+85251234567', 'used', 'hash', 'hash', 'ch_none', now(), now() FROM merchant LIMIT 1`,
  refund_paid_once: update(
    'refund_payout',
    'returned_transfer_id = NULL',
    'returned_transfer_id IS NOT NULL',
  ),
  payout_matches_transfer: update('refund_payout', 'amount = amount + 1', 'transfer_id IS NOT NULL'),
  payout_transfer_outgoing: `UPDATE transfer SET reason = 'reversed' WHERE id = (SELECT transfer_id FROM refund_payout WHERE transfer_id IS NOT NULL LIMIT 1)`,
  returned_payout_allocated: `UPDATE allocation SET amount = amount - 1 WHERE refund_id IS NOT NULL`,
  feed_account_of_merchant: update('bank_feed', `mode = 'sandbox'`),
  feed_delivery_transfers_recorded: update('feed_delivery', `transfer_ids = '{tr_none}'`),
  feed_transfer_has_feed: `UPDATE transfer SET source = 'feed', file_kind = 'none' WHERE id = ${selectId('transfer')}`,
  statement_entries_recorded: update('statement', 'entry_count = entry_count + 1'),
  statement_result_counts_add_up: update('statement', `result_counts = '{}'`),
  statement_undone_whole: update('statement', 'undone_count = undone_count + 1'),
  statement_transfer_count: `UPDATE transfer SET statement_id = ${selectId('statement')}`,
  subscription_paid_by_charges: update('subscription', 'num_payments_complete = num_payments_complete + 1'),
  subscription_next_action_scheduled: update('subscription', 'due_at = NULL', `status = 'active'`),
  subscription_next_payment: update('subscription', `next_payment = now()`, `status = 'active'`),
  subscription_completed_when_paid: `UPDATE subscription_plan SET num_payments = 1`,
  ended_subscription_requests_no_payment: `UPDATE subscription SET status = 'cancelled'`,
  subscription_ended_at: update('subscription', 'ended_at = now()', `status = 'active'`),
  subscription_one_payment_request: copy(
    'charge',
    `status = 'pending' AND subscription_id IS NOT NULL`,
    replaceId(`, 'payment_reference', 'ZZZZZ9999'`),
  ),
  invoice_paid_by_its_charge: update('invoice', 'charge_id = NULL', `status = 'paid'`),
  merchant_pause_is_inactive: update('subscription', 'resumes_at = now()', `status = 'active'`),
  external_payment_without_charge: update('invoice', 'paid_externally = true', `status = 'paid'`),
  invoice_tax_and_period: update('invoice', 'tax_amount = 1'),
  invoice_numbers_without_gaps: `UPDATE invoice_counter SET last = last + 1`,
  charge_has_its_events: remove('event', `type = 'charge_created' AND object_id = ${selectId('charge')}`),
  session_has_its_events: remove('event', `type = 'session_charged'`),
  refund_has_its_events: remove('event', `type = 'refund_completed'`),
  subscription_has_its_events: remove('event', `type = 'subscription_paid'`),
  invoice_has_its_event: remove('event', `type = 'subscription_invoice_due'`),
  transfer_has_its_event: remove('event', `type = 'transfer_exception'`),
  one_time_event_unique: copy(
    'event',
    `type = 'CHARGE_COMPLETE'`,
    replaceId(`, 'object_version', 90, 'sequence', NULL`),
  ),
  event_versions_unique: `UPDATE event SET object_version = 1`,
  event_log_in_order: `UPDATE event SET object_version = 10 - object_version`,
  relayed_event_has_sequence: update('event', 'relayed_at = NULL'),
  event_numbers_without_gaps: `UPDATE event_counter SET last = last + 1`,
  callback_recorded: remove('notification', `kind = 'callback'`),
  webhook_notified: remove('notification', `kind = 'webhook'`),
  event_payload_identifies_event: update(
    'event',
    `payload = replace(payload, '"mode":"live"', '"mode":"sandbox"')`,
  ),
  notification_event_type_matches: update('notification', `event_type = 'refund_completed'`),
  notification_attempts_recorded: remove('notification_attempt', 'true'),
  notification_next_attempt_scheduled: update(
    'notification',
    `next_attempt_at = now()`,
    `status = 'delivered'`,
  ),
  notice_position_recorded: `UPDATE notice_setting SET event_position = 1000000`,
  one_merchant_and_mode: update('charge', `mode = 'sandbox'`),
  decision_in_audit_trail: copy(
    'allocation',
    `reason = 'assigned'`,
    replaceId(`, 'transfer_id', ${selectId('transfer', 'id <> t.transfer_id')}`),
  ),
  configuration_in_audit_trail: remove('audit_entry', `action = 'webhook.created'`),
  audit_trail_append_only: 'ALTER TABLE audit_entry DISABLE TRIGGER audit_entry_append_only',
};

test('every invariant is tested', () => {
  expect(Object.keys(violationSql).sort()).toEqual(invariants.map(({ name }) => name).sort());
});

test.for(Object.entries(violationSql))(
  'a violation of %s is found and named',
  async ([name, sql], { client }) => {
    await client.query('BEGIN');
    try {
      // Without the constraints and triggers that would reject the violation.
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
  },
);
