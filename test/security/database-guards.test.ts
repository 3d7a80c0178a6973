import { beforeAll, expect, test } from 'vitest';
import { type IdNoun, newId } from '../../src/kit/id.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { copyRows } from '../setup/copy-rows.ts';
import { createFakeClock } from '../setup/fake-clock.ts';
import { type GraphqlApp, setupGraphqlApp } from '../setup/graphql.ts';
import { noon } from '../setup/seed.ts';
import { seedEveryType } from '../setup/seed-every-type.ts';

const onCleanup = cleanupAfterFile();

/** What must be there once, the database itself refuses a second time; and what is only ever added to, to change. */

let app: GraphqlApp;
let ids: Partial<Record<IdNoun, string>>;

beforeAll(async () => {
  app = await setupGraphqlApp(onCleanup, { clock: createFakeClock(noon) });
  ids = await seedEveryType(app);
  const { prisma } = app.context.service;
  await prisma.invoice.update({ where: { id: ids.invoice! }, data: { status: 'open' } });
});

const ofItsOwn = { session_id: null, payment_reference: 'ZEBRA2345' };

test.each<[what: string, table: string, noun: IdNoun, changes: object, constraint: string]>([
  ['a charge of a session', 'charge', 'charge', { payment_reference: 'ZEBRA2345' }, 'charge_session_id_key'],
  [
    'a transfer by its bank’s reference',
    'transfer',
    'transfer',
    {},
    'transfer_receiving_account_id_source_bank_reference_key',
  ],
  ['a word of payouts', 'refund', 'refund', {}, 'refund_merchant_id_mode_payout_reference_key'],
  ['a payout of a refund', 'refund_payout', 'payout', {}, 'refund_payout_standing_key'],
  ['a number of invoices', 'invoice', 'invoice', { status: 'paid' }, 'invoice_merchant_id_mode_number_key'],
  ['an open invoice of a subscription', 'invoice', 'invoice', { number: 2 }, 'invoice_open_key'],
  [
    'a notification of an event to a webhook',
    'notification',
    'notification',
    {},
    'notification_event_target_key',
  ],
  ['a place in the event log', 'event', 'event', {}, 'event_merchant_id_mode_sequence_key'],
  ['a customer by e-mail', 'customer', 'customer', {}, 'customer_merchant_id_mode_email_key'],
  ['a key', 'api_key', 'apiKey', {}, 'api_key_key_key'],
])('%s is there once', async (_, table, noun, changes, constraint) => {
  const second = { ...changes, of: ids[noun]!, id: newId(noun, noon) };
  await expect(copyRows(app.context.service, table, [second])).rejects.toMatchObject({
    code: '23505',
    constraint,
  });
});

test('a copy that takes nothing of another is stored: the refusals above are for what they say', async () => {
  const { service } = app.context;
  await copyRows(service, 'charge', [{ ...ofItsOwn, of: ids.charge!, id: newId('charge', noon) }]);
  await copyRows(service, 'invoice', [
    { number: 2, status: 'paid', of: ids.invoice!, id: newId('invoice', noon) },
  ]);
});

test.each(['allocation', 'audit_entry'])('what %s holds is neither changed nor taken out', async (table) => {
  const { pool } = app.context.service;
  for (const statement of [
    `UPDATE ${table} SET created_at = now()`,
    `DELETE FROM ${table}`,
    `TRUNCATE ${table} CASCADE`,
    // What hangs on it would be emptied too.
    'TRUNCATE merchant CASCADE',
  ])
    await expect(pool.query(statement), statement).rejects.toThrow(/append-only/);
});

test('a transfer that has counted is not taken out', async () => {
  const deleted = app.context.service.pool.query('DELETE FROM transfer');
  await expect(deleted).rejects.toThrow(/"allocation_transfer_id_fkey"/);
});
