import { randomInt } from 'node:crypto';
import { describe, expect, onTestFinished } from 'vitest';
import type { Charge } from '../../../prisma/client/client.ts';
import type { NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import { renewSubscriptions } from '../../../src/domain/billing/collection/renew-subscriptions.ts';
import { recordTransfers } from '../../../src/domain/money-in/transfer/record/record-transfers.ts';
import { dismissTransfers } from '../../../src/domain/money-in/transfer/review/dismiss-transfers.ts';
import { returnTransfer } from '../../../src/domain/money-in/transfer/review/return-transfer.ts';
import { updateTransfers } from '../../../src/domain/money-in/transfer/review/update-transfers.ts';
import { eraseCustomer } from '../../../src/domain/operations/customer-data/erase-customer.ts';
import { exportCustomer } from '../../../src/domain/operations/customer-data/export-customer.ts';
import { createCharge } from '../../../src/domain/payments/charge/create-charge.ts';
import { createCheckoutLink } from '../../../src/domain/payments/checkout-link/create-checkout-link.ts';
import type { CustomerDetails } from '../../../src/domain/payments/customer/customer-input.ts';
import { upsertCustomer, upsertPageCustomer } from '../../../src/domain/payments/customer/upsert-customer.ts';
import { completeRefund } from '../../../src/domain/payments/refund/complete-refund.ts';
import { createRefund } from '../../../src/domain/payments/refund/create-refund.ts';
import { reopenRefund } from '../../../src/domain/payments/refund/reopen-refund.ts';
import { submitRefundDetails } from '../../../src/domain/payments/refund/submit-refund-details.ts';
import { createSession } from '../../../src/domain/payments/session/create-session.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { transact } from '../../../src/event/unit-of-work.ts';
import type { Secrets } from '../../../src/kit/secrets.ts';
import { waitUntilBlocked } from '../../setup/concurrently.ts';
import { count } from '../../setup/counts.ts';
import { serviceTest } from '../../setup/fixtures.ts';
import { readStoredResponse } from '../../setup/idempotency.ts';
import { expectInvariants } from '../../setup/invariants.ts';
import { seedMail } from '../../setup/messages.ts';
import { payOut, returnPayout, reverseReturn, seedPayableRefund } from '../../setup/payouts.ts';
import { minutesAfter, noon, seedCharge, seedCompletedCharge } from '../../setup/seed.ts';
import { beforeStatement, recordStatements, type SentStatement } from '../../setup/sent-statements.ts';
import { seedActiveSubscription, seedPlan } from '../../setup/subscriptions.ts';
import { payCharge } from '../../setup/transfers.ts';

const rounds = count(15, 200);

const toOwner = (merchant: NewMerchant) => ({ merchantId: merchant.merchant.id, mode: 'live' as const });
const record = (service: Service, merchant: NewMerchant, details: CustomerDetails, now = noon) =>
  transact(service, async ({ tx }) => {
    const id = await upsertCustomer(tx, { ...toOwner(merchant), details, now });
    return tx.customer.findUniqueOrThrow({ where: { id } });
  });
const findAll = (service: Service, merchant: NewMerchant, details: CustomerDetails) =>
  service.prisma.customer.findMany({
    where: { ...toOwner(merchant), OR: [{ email: details.email ?? '' }, { phone: details.phone ?? '' }] },
  });

function createPerson(): { email: string; phone: string } {
  const number = String(randomInt(1e8)).padStart(8, '0');
  return { email: `person${number}@example.com`, phone: `+852${number}` };
}

describe('Customer', () => {
  test('is found by email, or else by phone, or else created', async ({ service, merchant }) => {
    const { email, phone } = createPerson();
    const byPhone = await record(service, merchant, { phone });
    expect(byPhone).toMatchObject({ email: null, phone });
    const later = minutesAfter(noon, 1);
    const both = await record(service, merchant, { email: email.toUpperCase(), phone }, later);
    expect(both).toEqual({ ...byPhone, email, updatedAt: later });
    for (const details of [{ email }, { phone }, { email, phone }])
      expect((await record(service, merchant, details)).id).toBe(both.id);
    expect(await findAll(service, merchant, { email, phone })).toHaveLength(1);
  });

  test('gets the names that a visitor enters only if it has none', async ({ service, merchant }) => {
    const { email } = createPerson();
    const visit = (firstName: string) =>
      transact(service, async ({ tx }) => {
        const details = { email, firstName };
        const id = await upsertPageCustomer(tx, { ...toOwner(merchant), details, now: noon });
        return tx.customer.findUniqueOrThrow({ where: { id } });
      });
    await record(service, merchant, { email });
    expect(await visit('Ada')).toMatchObject({ firstName: 'Ada', lastName: null });
    expect(await visit('Eve')).toMatchObject({ firstName: 'Ada' });
    expect(await record(service, merchant, { email, firstName: 'Grace' })).toMatchObject({
      firstName: 'Grace',
    });
  });

  test('is created for the phone of a customer with another email', async ({ service, merchant }) => {
    const [ada, bob] = [createPerson(), createPerson()];
    const first = await record(service, merchant, ada);
    const second = await record(service, merchant, { email: bob.email, phone: ada.phone });
    expect(second).toMatchObject({ email: bob.email, phone: ada.phone });
    expect(second.id).not.toBe(first.id);
  });

  test('is found by email even if another customer has the phone', async ({ service, merchant }) => {
    const [ada, bob] = [createPerson(), createPerson()];
    const [byEmail, byPhone] = [
      await record(service, merchant, { email: ada.email }),
      await record(service, merchant, { phone: bob.phone }),
    ];
    expect((await record(service, merchant, { email: ada.email, phone: bob.phone })).id).toBe(byEmail.id);
    expect(await service.prisma.customer.findUnique({ where: { id: byPhone.id } })).toEqual(byPhone);
  });
});

describe('Concurrent customer', () => {
  test('is created once by requests with a phone and requests with email and phone', async ({
    service,
    merchant,
  }) => {
    for (let round = 0; round < rounds; round++) {
      const { email, phone } = createPerson();
      const variants = Array.from({ length: 8 }, (_, i) =>
        i % 2 === round % 2 ? { phone } : { email, phone },
      );
      const customers = await Promise.all(variants.map((details) => record(service, merchant, details)));
      expect(new Set(customers.map(({ id }) => id)).size).toBe(1);
      expect(await findAll(service, merchant, { email, phone })).toMatchObject([{ email, phone }]);
    }
  });

  test('gets one of two emails that are recorded with its phone, and the other belongs to a new customer', async ({
    service,
    merchant,
  }) => {
    for (let round = 0; round < rounds; round++) {
      const [ada, bob] = [createPerson(), createPerson()];
      const { id } = await record(service, merchant, { phone: ada.phone });
      const variants = [ada.email, bob.email, ada.email, bob.email];
      const customers = await Promise.all(
        variants.map((email) => record(service, merchant, { email, phone: ada.phone })),
      );
      const ids = new Set(customers.map((customer) => customer.id));
      expect([ids.size, ids.has(id)]).toEqual([2, true]);
      const stored = await findAll(service, merchant, { phone: ada.phone });
      expect(stored.map(({ email }) => email).toSorted()).toEqual([ada.email, bob.email].toSorted());
    }
  });

  test('is found by a charge with its email while the email is recorded', async ({ service, merchant }) => {
    for (let round = 0; round < rounds; round++) {
      const { email, phone } = createPerson();
      await record(service, merchant, { phone });
      const input = { email, merchantAmount: 128.5, merchantCurrency: 'HKD', method: 'fps' };
      const charge = async () => {
        const options = { merchant: merchant.merchant, mode: 'live', actor: 'key:test', now: noon } as const;
        return (await createCharge(service, { ...options, input })).charge.customerId;
      };
      const recordBoth = async () => (await record(service, merchant, { email, phone })).id;
      const ids = await Promise.all([charge(), recordBoth(), charge(), recordBoth(), charge()]);
      expect(new Set(ids).size).toBe(1);
      expect(await service.prisma.customer.count({ where: { ...toOwner(merchant), email } })).toBe(1);
      expect(await service.prisma.charge.count({ where: { customerId: ids[0]! } })).toBe(1);
    }
  });
});

const phone = { code: '+852', phone: '51234567' };
const adaPrefill = { email: 'ADA@Example.com', phone, firstName: 'Ada', lastName: 'Lovelace' };

/** Data of Ada, whom tests erase, and of Bob, who remains. */
const test = serviceTest.extend('data', async ({ service, merchant }) => {
  const charge = await seedCharge(service, merchant, {
    input: { email: 'Ada@example.com', orders: [{ name: 'Tea' }] },
  });
  await seedCharge(service, merchant, { input: { email: 'bob@example.com' } });
  const ada = await service.prisma.customer.findFirstOrThrow({
    where: { email: 'ada@example.com', merchantId: merchant.merchant.id },
  });
  const bob = await service.prisma.customer.findFirstOrThrow({
    where: { email: 'bob@example.com', merchantId: merchant.merchant.id },
  });
  const owner = { merchant: merchant.merchant, mode: 'live', actor: 'key:test', now: noon } as const;
  await createSession(service, { ...owner, input: { amount: 10, currency: 'HKD', customer: adaPrefill } });
  const bobPrefill = { email: 'bob@example.com', firstName: 'Bob' };
  await createSession(service, { ...owner, input: { amount: 10, currency: 'HKD', customer: bobPrefill } });
  for (const to of ['ADA@example.com', 'bob@example.com'])
    await seedMail(service, { merchantId: merchant.merchant.id, to });
  const link = {
    amount: 10,
    currency: 'HKD',
    apiKey: merchant.keys.live.publishableKey,
    customer: adaPrefill,
  };
  await createCheckoutLink(service, { ...owner, input: link });
  const item = {
    receivingAccountId: charge.receivingAccountId,
    amount: 128.5,
    currency: 'HKD',
    payerName: 'LOVELACE ADA',
  };
  const paid = {
    ...item,
    id: 'bank-1',
    reference: `from Ada ${charge.paymentReference}`,
    paidAt: noon.toISOString(),
  };
  // A second payment of the charge becomes an exception, with an event.
  const late = {
    ...item,
    id: 'bank-2',
    reference: `Ada again ${charge.paymentReference}`,
    paidAt: minutesAfter(noon, 3).toISOString(),
  };
  // A third one has full-width letters, as a Chinese keyboard types them.
  const wide = { ...late, id: 'bank-3', reference: `Ada again ${toFullWidth(charge.paymentReference)}` };
  await recordTransfers(service, { ...owner, items: [paid, late, wide], now: minutesAfter(noon, 5) });
  const where = { merchantId: merchant.merchant.id, bankReference: 'bank-1' };
  const { id } = await service.prisma.transfer.findFirstOrThrow({ where });
  await updateTransfers(service, {
    ...toOwner(merchant),
    input: { transferIds: [id], note: 'Mr Lovelace called' },
    audit: { actor: 'key:test', now: noon },
    now: noon,
  });
  await seedRefund(service, charge, '12 345 678', 6);
  await seedRefund(service, charge, '87654321', 7, completeRefund);
  return { ada, bob, charge };
});

function toFullWidth(text: string): string {
  return text.replace(/[!-~]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0));
}

/** A refund to Ada’s account: processing, or as `end` leaves it. */
async function seedRefund(
  service: Service,
  charge: Charge,
  account: string,
  minutes: number,
  end?: typeof completeRefund,
): Promise<void> {
  const owner = {
    merchantId: charge.merchantId,
    mode: 'live',
    actor: 'key:test',
    now: minutesAfter(noon, minutes),
  } as const;
  const { refund } = await createRefund(service, {
    ...owner,
    input: { chargeId: charge.id, customerAmount: 10 },
  });
  const { id } = refund;
  const details = { bank: '004', account, holder: 'Ada Lovelace' };
  await submitRefundDetails(service, { ...owner, id, details });
  await end?.(service, { ...owner, id });
}

/** The merchant’s rows of tables with unencrypted copies; test/security/secrets.test.ts reads all tables. */
async function readRows(service: Service, merchant: NewMerchant): Promise<string> {
  const tables = [
    'customer',
    'charge',
    'checkout_session',
    'checkout_link',
    'transfer',
    'event',
    'refund',
    'allocation',
  ];
  const parts: string[] = [];
  for (const table of tables) {
    const { rows } = await service.pool.query(
      `SELECT to_jsonb(t)::text AS row FROM ${table} t WHERE merchant_id = $1`,
      [merchant.merchant.id],
    );
    parts.push(...rows.map(({ row }) => row as string));
  }
  return parts.join('\n');
}

const personal = /ada@example|lovelace|from ada|ada again|"ada"|51234567/i;

describe('Erased customer', () => {
  test('is exported with all its data, and no data of others', async ({ service, data }) => {
    const { ada, charge } = data;
    const exported = await exportCustomer(service, { id: ada.id });
    expect(exported.customer).toMatchObject({ id: ada.id, mode: 'live', email: 'ada@example.com' });
    expect(exported.charges).toMatchObject([
      {
        id: charge.id,
        email: 'Ada@example.com',
        merchantAmount: 128.5,
        orders: [{ name: 'Tea' }],
        status: 'completed',
        refunds: [
          {
            status: 'processing',
            payoutDetails: { bank: '004', account: '12345678', holder: 'Ada Lovelace' },
          },
          { status: 'completed', payoutDetails: { account: '87654321' } },
        ],
      },
    ]);
    expect(exported.transfers).toMatchObject([
      {
        note: 'Mr Lovelace called',
        payerName: 'LOVELACE ADA',
        reference: `from Ada ${charge.paymentReference}`,
        amount: 128.5,
      },
      { reference: `Ada again ${charge.paymentReference}`, status: 'exception' },
      { reference: `Ada again ${toFullWidth(charge.paymentReference)}`, status: 'exception' },
    ]);
    expect(exported.sessions).toMatchObject([{ customer: { firstName: 'Ada', phone: '+85251234567' } }]);
    expect(exported.checkoutLinks).toHaveLength(1);
    expect(exported.messages).toHaveLength(2);
    expect(exported.messages).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ to: 'Ada@example.com', kind: 'refund-sent' }),
        expect.objectContaining({ to: 'ADA@example.com', text: expect.stringContaining('refund') }),
      ]),
    );
    expect(JSON.stringify(exported)).not.toMatch(/bob/i);
  });

  test('is removed from every row, without changes of amounts, orders, statuses and other customers', async ({
    service,
    merchant,
    data,
  }) => {
    const { ada, bob, charge } = data;
    expect(await readRows(service, merchant)).toMatch(personal);
    const before = await service.prisma.charge.findUniqueOrThrow({ where: { id: charge.id } });
    const counts = await eraseCustomer(service, { id: ada.id, now: minutesAfter(noon, 10) });
    expect(counts).toEqual({
      charges: 1,
      sessions: 1,
      checkoutLinks: 1,
      subscriptions: 0,
      transfers: 3,
      messages: 2,
      events: 8,
    });

    const rows = await readRows(service, merchant);
    expect(rows).not.toMatch(personal);
    expect(rows).toContain('"firstName": "Bob"');
    const after = await service.prisma.charge.findUniqueOrThrow({ where: { id: charge.id } });
    expect(after).toEqual({ ...before, email: null });
    // The payout details of a processing refund remain.
    const refunds = await service.prisma.refund.findMany({
      where: { chargeId: charge.id },
      orderBy: { id: 'asc' },
    });
    expect(refunds.map(({ detailsEncrypted }) => detailsEncrypted !== null).sort()).toEqual([false, true]);
    await expectInvariants(service);
    expect(await exportCustomer(service, { id: bob.id })).toMatchObject({
      charges: [{ email: 'bob@example.com' }],
    });
  });

  test('can be erased again, and its transfers are still recognized as duplicates', async ({
    service,
    merchant,
    data,
  }) => {
    const { ada, charge } = data;
    await eraseCustomer(service, { id: ada.id, now: minutesAfter(noon, 10) });
    const repeated = await eraseCustomer(service, { id: ada.id, now: minutesAfter(noon, 11) });
    expect(repeated).toMatchObject({ charges: 1, sessions: 0, checkoutLinks: 0, events: 0 });
    const [result] = await recordTransfers(service, {
      merchant: merchant.merchant,
      mode: 'live',
      actor: 'key:test',
      items: [
        {
          id: 'bank-1',
          receivingAccountId: charge.receivingAccountId,
          amount: 128.5,
          currency: 'HKD',
          reference: `from Ada ${charge.paymentReference}`,
          paidAt: noon.toISOString(),
        },
      ],
      now: minutesAfter(noon, 12),
    });
    expect(result).toMatchObject({ status: 'duplicate', chargeId: charge.id });
  });

  test('is a new customer with the next charge', async ({ service, merchant, data }) => {
    const { ada } = data;
    await eraseCustomer(service, { id: ada.id, now: minutesAfter(noon, 10) });
    const next = await seedCharge(service, merchant, {
      input: { email: 'ada@example.com' },
      now: minutesAfter(noon, 20),
    });
    expect(next.customerId).not.toBe(ada.id);
  });

  test('returns customer_not_found if it does not exist', async ({ service }) => {
    const error = { code: 'customer_not_found' };
    await expect(exportCustomer(service, { id: 'cus_none' })).rejects.toMatchObject(error);
    await expect(eraseCustomer(service, { id: 'cus_none', now: noon })).rejects.toMatchObject(error);
  });
});

describe('Customer of many payments', () => {
  async function seedPayments(
    service: Service,
    merchant: NewMerchant,
    email: string,
    times: number,
  ): Promise<string> {
    const charges: Charge[] = [];
    for (let i = 0; i < times; i++) {
      const charge = await seedCharge(service, merchant, { input: { email, notifyPayload: `${i}` } });
      await payCharge(service, merchant, charge, { now: noon });
      charges.push(charge);
    }
    const ids = charges.map(({ id }) => id);
    await service.pool.query(`UPDATE event SET payload = '{"email":"x"}' WHERE object_id = ANY($1)`, [ids]);
    return charges[0]!.customerId;
  }

  test('is erased with as many statements as one of a single payment', async ({ service, merchant }) => {
    const [single, many] = [
      await seedPayments(service, merchant, 'one@example.com', 1),
      await seedPayments(service, merchant, 'many@example.com', 5),
    ];
    const now = minutesAfter(noon, 30);
    const ofOne = await recordStatements(() => eraseCustomer(service, { id: single, now }));
    const ofMany = await recordStatements(() => eraseCustomer(service, { id: many, now }));
    expect(ofMany.result).toMatchObject({ charges: 5, transfers: 5, events: 10 });
    expect(ofMany.sent.length).toBe(ofOne.sent.length);
  });

  test('has its stored responses read before the transaction, and in it only those stored since', async ({
    service,
    merchant,
  }) => {
    const id = await seedPayments(service, merchant, 'zoe@example.com', 1);
    const now = new Date();
    const store = (key: string, createdAt: Date) =>
      service.prisma.idempotencyKey.create({
        data: {
          ...{ merchantId: merchant.merchant.id, mode: 'live', key, fingerprint: 'f', status: 201 },
          responseEncrypted: service.secrets.encrypt(
            '{"to":"Zoe@example.com","id":"ch_1"}',
            'idempotency_key.response_encrypted',
            [merchant.merchant.id, 'live', key],
          ),
          ...{ createdAt, expiresAt: minutesAfter(now, 1_440) },
        },
      });
    for (const key of ['a', 'b', 'c']) await store(key, minutesAfter(now, -60));
    // This response may be stored by a transaction that is still open when the erasure begins.
    await store('d', minutesAfter(now, -1));
    const isInTransaction: boolean[] = [];
    await recordStatements((sent) => {
      const decrypt: Secrets['decrypt'] = (...args) => {
        isInTransaction.push(sent.some(({ text }) => text === 'BEGIN'));
        return service.secrets.decrypt(...args);
      };
      return eraseCustomer({ ...service, secrets: { ...service.secrets, decrypt } }, { id, now });
    });
    expect(isInTransaction).toEqual([false, false, false, false, true]);
    const rows = await service.prisma.idempotencyKey.findMany({
      where: { key: { in: ['a', 'b', 'c', 'd'] } },
    });
    expect(await Promise.all(rows.map((row) => readStoredResponse(service, row)))).toEqual(
      Array(4).fill('{"to":"","id":"ch_1"}'),
    );
  });
});

describe('Erasure of a customer', () => {
  test('leaves no personal data in a refund that is created concurrently', async ({ service, merchant }) => {
    const charge = await seedCompletedCharge(service, merchant, { input: { email: 'ada@example.com' } });
    const { merchantId, mode, customerId } = charge;
    const refund = { input: { chargeId: charge.id, customerAmount: 10 }, actor: 'key:test' };
    let creation: Promise<unknown> | undefined;
    // By then, the erasure has read the rows to erase.
    const isAfterReads = ({ text }: SentStatement) => text.startsWith('UPDATE "public"."customer"');
    beforeStatement(onTestFinished, isAfterReads, async () => {
      creation = createRefund(service, { merchantId, mode, ...refund, now: minutesAfter(noon, 9) });
      await waitUntilBlocked(service, [creation]);
    });
    await eraseCustomer(service, { id: customerId, now: minutesAfter(noon, 10) });
    expect(creation).toBeDefined();
    await creation;
    expect(await service.prisma.refund.count({ where: { chargeId: charge.id } })).toBe(1);
    const { rows } = await service.pool.query(
      "SELECT payload AS text FROM event UNION ALL SELECT recipient FROM message WHERE audience = 'customer'",
    );
    expect(rows.filter(({ text }) => text.includes('ada@example.com'))).toEqual([]);
  });

  test('removes a name only from stored responses about the customer', async ({ service, merchant }) => {
    const charge = await seedCharge(service, merchant, { input: { email: 'rose@example.com' } });
    await service.prisma.charge.update({
      where: { id: charge.id },
      data: { firstName: 'Rose', lastName: 'Pending' },
    });
    const now = new Date();
    const responses = {
      others: '{"id":"ch_other","status":"pending","orders":[{"name":"Rose"}]}',
      own: `{"id":"${charge.id}","by":"Rose"}`,
      linked: `{"url":"https://shop.example/pay/${charge.id}?x=1","by":"Rose"}`,
      addressed: '{"to":"ROSE@example.com","by":"rose"}',
    };
    for (const [key, response] of Object.entries(responses)) {
      const { merchantId, mode } = charge;
      const row = [merchantId, mode, key] as const;
      await service.prisma.idempotencyKey.create({
        data: {
          ...{ merchantId, mode, key, fingerprint: 'f', status: 201 },
          responseEncrypted: service.secrets.encrypt(response, 'idempotency_key.response_encrypted', row),
          ...{ createdAt: now, expiresAt: minutesAfter(now, 60) },
        },
      });
    }
    await eraseCustomer(service, { id: charge.customerId, now });
    const rows = await service.prisma.idempotencyKey.findMany({ where: { merchantId: charge.merchantId } });
    expect(
      Object.fromEntries(
        await Promise.all(rows.map(async (row) => [row.key, await readStoredResponse(service, row)])),
      ),
    ).toEqual({
      others: responses.others,
      own: responses.own.replace('Rose', ''),
      linked: responses.linked.replace('Rose', ''),
      addressed: '{"to":"","by":""}',
    });
  });
});

describe('Erasure of a subscriber', () => {
  test('removes the personal data of exported subscriptions', async ({ service, merchant }) => {
    const plan = await seedPlan(service, merchant, { input: { sendEmail: true } });
    const email = 'ada.lovelace@example.com';
    const { id, customerId } = await seedActiveSubscription(service, merchant, { plan, email });
    await renewSubscriptions(service, { now: new Date('2026-12-15T12:00:00.000Z') });
    const exported = await exportCustomer(service, { id: customerId });
    expect(exported.subscriptions).toMatchObject([
      { id, plan: 'Tea of the month', customer: { email }, invoices: [{ number: 1, amount: 100 }] },
    ]);
    expect(await eraseCustomer(service, { id: customerId, now: noon })).toMatchObject({ subscriptions: 1 });
    const rows = await service.prisma.$queryRaw<object[]>`
    SELECT to_jsonb(s)::text AS row FROM subscription s UNION ALL SELECT to_jsonb(c)::text FROM charge c
    UNION ALL SELECT to_jsonb(e)::text FROM event e UNION ALL SELECT to_jsonb(m)::text FROM message m
    UNION ALL SELECT to_jsonb(l)::text FROM subscription_link l`;
    expect(rows.length).toBeGreaterThan(5);
    expect(JSON.stringify(rows)).not.toContain('lovelace');
  });

  test('removes the payee and payer of refund payouts, their returns and reversals', async ({
    service,
    merchant,
  }) => {
    const refund = await seedPayableRefund(service, merchant);
    const payerName = 'Ada Lovelace-Payee';
    await payOut(service, merchant, refund, { payerName });
    await returnPayout(service, merchant, refund, { payerName });
    await reverseReturn(service, merchant, refund, { payerName });
    await payOut(service, merchant, refund, { payerName, id: `feed-${refund.id}`, source: 'feed' });
    const findNamed = () => service.prisma.transfer.findMany({ where: { payerName } });
    const named = await findNamed();
    expect(named).toHaveLength(4);
    const { customerId } = await service.prisma.charge.findUniqueOrThrow({ where: { id: refund.chargeId } });
    const exported = await exportCustomer(service, { id: customerId });
    expect(exported.transfers).toEqual(
      expect.arrayContaining(named.map(({ id }) => expect.objectContaining({ id, payerName }))),
    );
    await eraseCustomer(service, { id: customerId, now: minutesAfter(noon, 10) });
    expect(await findNamed()).toEqual([]);
    const events = { payload: { contains: payerName } };
    expect(await service.prisma.event.count({ where: events })).toBe(0);
    await expectInvariants(service);
  });

  test('removes the payer of a return that was reported before its payout', async ({ service, merchant }) => {
    const [refund, payerName] = [await seedPayableRefund(service, merchant), 'Ada Lovelace-Payee'];
    await returnPayout(service, merchant, refund, { payerName });
    const change = { id: refund.id, reason: 'AC04', actor: 'user:test', now: noon };
    await reopenRefund(service, { ...toOwner(merchant), ...change });
    const { customerId } = await service.prisma.charge.findUniqueOrThrow({ where: { id: refund.chargeId } });
    const { transfers } = await exportCustomer(service, { id: customerId });
    expect(transfers).toContainEqual(expect.objectContaining({ payerName }));
    await eraseCustomer(service, { id: customerId, now: noon });
    expect(await service.prisma.transfer.count({ where: { payerName } })).toBe(0);
  });

  test('removes the payer of a transfer that names the charge but was returned or dismissed', async ({
    service,
    merchant,
  }) => {
    const charge = await seedCompletedCharge(service, merchant);
    const payerName = 'Ada Lovelace-Twice';
    const { paymentReference: reference } = charge;
    const pay = (text: string) =>
      payCharge(service, merchant, charge, { payerName, reference: `${reference} ${text}`, now: noon });
    const [returned, dismissed] = [await pay('again'), await pay('by mistake')];
    const now = minutesAfter(noon, 5);
    const decision = { ...toOwner(merchant), mode: charge.mode, audit: { actor: 'user:test', now }, now };
    await returnTransfer(service, { ...decision, input: { transferId: returned.transferId! } });
    await dismissTransfers(service, { ...decision, input: { transferIds: [dismissed.transferId!] } });
    expect(await service.prisma.transfer.count({ where: { payerName } })).toBe(2);
    await eraseCustomer(service, { id: charge.customerId, now: minutesAfter(noon, 10) });
    expect(await service.prisma.transfer.count({ where: { payerName } })).toBe(0);
  });
});
