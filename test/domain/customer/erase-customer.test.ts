import { beforeAll, describe, expect, test } from 'vitest';
import type { Charge, Customer } from '../../../prisma/client/client.ts';
import type { NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import { recordTransfers } from '../../../src/domain/money-in/transfer/record-transfers.ts';
import { eraseCustomer } from '../../../src/domain/operations/customer-data/erase-customer.ts';
import { exportCustomer } from '../../../src/domain/operations/customer-data/export-customer.ts';
import { createCheckoutLink } from '../../../src/domain/payments/checkout-link/create-checkout-link.ts';
import { completeRefund } from '../../../src/domain/payments/refund/complete-refund.ts';
import { createRefund } from '../../../src/domain/payments/refund/create-refund.ts';
import { submitRefundDetails } from '../../../src/domain/payments/refund/submit-refund-details.ts';
import { createSession } from '../../../src/domain/payments/session/create-session.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import type { Secrets } from '../../../src/kit/secrets.ts';
import { cleanupAfterFile } from '../../setup/cleanup.ts';
import { readStoredResponse } from '../../setup/idempotency.ts';
import { expectInvariants } from '../../setup/invariants.ts';
import { seedMail } from '../../setup/messages.ts';
import { minutesAfter, noon, seedCharge, seedMerchant } from '../../setup/seed.ts';
import { recordStatements } from '../../setup/sent-statements.ts';
import { setupService } from '../../setup/service.ts';
import { payCharge } from '../../setup/transfers.ts';

const onCleanup = cleanupAfterFile();

let service: Service & { connectionString: string };
let merchant: NewMerchant;
/** Ada, who is to be forgotten, and Bob, who is not. */
let ada: Customer;
let bob: Customer;
let charge: Charge;

const phone = { code: '+852', phone: '51234567' };
const adaPrefill = { email: 'ADA@Example.com', phone, firstName: 'Ada', lastName: 'Lovelace' };

beforeAll(async () => {
  service = await setupService(onCleanup);
  merchant = await seedMerchant(service);
  charge = await seedCharge(service, merchant, {
    input: { email: 'Ada@example.com', orders: [{ name: 'Tea' }] },
  });
  await seedCharge(service, merchant, { input: { email: 'bob@example.com' } });
  ada = await service.prisma.customer.findFirstOrThrow({ where: { email: 'ada@example.com' } });
  bob = await service.prisma.customer.findFirstOrThrow({ where: { email: 'bob@example.com' } });
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
  // The same once more, too late: nothing can be counted on it, and the merchant is told.
  const late = {
    ...item,
    id: 'bank-2',
    reference: `Ada again ${charge.paymentReference}`,
    paidAt: minutesAfter(noon, 3).toISOString(),
  };
  // And once more, typed in wide letters.
  const wide = { ...late, id: 'bank-3', reference: `Ada again ${wideLetters(charge.paymentReference)}` };
  await recordTransfers(service, { ...owner, items: [paid, late, wide], now: minutesAfter(noon, 5) });
  await refund('12 345 678', 6);
  await refund('87654321', 7, completeRefund);
});

/** As a phone with a Chinese keyboard types them. */
function wideLetters(text: string): string {
  return text.replace(/[!-~]/g, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0));
}

/** Money back to Ada's account; being paid, or what `end` makes of it. */
async function refund(account: string, minutes: number, end?: typeof completeRefund): Promise<void> {
  const owner = {
    merchantId: merchant.merchant.id,
    mode: 'live',
    actor: 'key:test',
    now: minutesAfter(noon, minutes),
  } as const;
  const made = await createRefund(service, { ...owner, input: { chargeId: charge.id, customerAmount: 10 } });
  const { id } = made.refund;
  const details = { bank: '004', account, holder: 'Ada Lovelace' };
  await submitRefundDetails(service, { ...owner, id, details });
  await end?.(service, { ...owner, id });
}

/** The rows of the tables that hold copies in the open; test/security/secrets-at-rest.test.ts looks in all. */
async function everything(): Promise<string> {
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
    const { rows } = await service.pool.query(`SELECT to_jsonb(t)::text AS row FROM ${table} t`);
    parts.push(...rows.map(({ row }) => row as string));
  }
  return parts.join('\n');
}

const personal = /ada@example|lovelace|from ada|ada again|"ada"|51234567/i;

describe('a customer', () => {
  test('is exported with all that is kept about it, and nothing of others', async () => {
    const found = await exportCustomer(service, { id: ada.id });
    expect(found.customer).toMatchObject({ id: ada.id, mode: 'live', email: 'ada@example.com' });
    expect(found.charges).toMatchObject([
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
    expect(found.transfers).toMatchObject([
      { payerName: 'LOVELACE ADA', reference: `from Ada ${charge.paymentReference}`, amount: 128.5 },
      { reference: `Ada again ${charge.paymentReference}`, status: 'exception' },
      { reference: `Ada again ${wideLetters(charge.paymentReference)}`, status: 'exception' },
    ]);
    expect(found.sessions).toMatchObject([{ customer: { firstName: 'Ada', phone: '+85251234567' } }]);
    expect(found.checkoutLinks).toHaveLength(1);
    const asked = { to: 'Ada@example.com', kind: 'refund-link' };
    expect(found.messages).toMatchObject([
      asked,
      asked,
      { to: 'ADA@example.com', text: expect.stringContaining('refund') },
    ]);
    expect(JSON.stringify(found)).not.toMatch(/bob/i);
  });

  test('is erased from every row; amounts, orders, states and all of others stay', async () => {
    expect(await everything()).toMatch(personal);
    const before = await service.prisma.charge.findUniqueOrThrow({ where: { id: charge.id } });
    const counts = await eraseCustomer(service, { id: ada.id, now: minutesAfter(noon, 10) });
    expect(counts).toEqual({
      charges: 1,
      sessions: 1,
      checkoutLinks: 1,
      subscriptions: 0,
      transfers: 3,
      messages: 3,
      events: 8,
    });

    const rows = await everything();
    expect(rows).not.toMatch(personal);
    expect(rows).toContain('"firstName": "Bob"');
    const after = await service.prisma.charge.findUniqueOrThrow({ where: { id: charge.id } });
    expect(after).toEqual({ ...before, email: null });
    // Only where money is on its way it stays known where to.
    const refunds = await service.prisma.refund.findMany({ orderBy: { id: 'asc' } });
    expect(refunds.map(({ detailsEncrypted }) => detailsEncrypted !== null).sort()).toEqual([false, true]);
    await expectInvariants(service);
    expect(await exportCustomer(service, { id: bob.id })).toMatchObject({
      charges: [{ email: 'bob@example.com' }],
    });
  });

  test('erased is the same as erased twice; money that is told of again is still known', async () => {
    await eraseCustomer(service, { id: ada.id, now: minutesAfter(noon, 10) });
    const again = await eraseCustomer(service, { id: ada.id, now: minutesAfter(noon, 11) });
    expect(again).toMatchObject({ charges: 1, sessions: 0, checkoutLinks: 0, events: 0 });
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

  test('who comes back is a new customer', async () => {
    await eraseCustomer(service, { id: ada.id, now: minutesAfter(noon, 10) });
    const back = await seedCharge(service, merchant, {
      input: { email: 'ada@example.com' },
      now: minutesAfter(noon, 20),
    });
    expect(back.customerId).not.toBe(ada.id);
  });

  test('that does not exist: customer_not_found', async () => {
    const refused = { code: 'customer_not_found' };
    await expect(exportCustomer(service, { id: 'cus_none' })).rejects.toMatchObject(refused);
    await expect(eraseCustomer(service, { id: 'cus_none', now: noon })).rejects.toMatchObject(refused);
  });
});

/** How a busy merchant's customer of many payments is erased while a transaction lasts no longer than others. */
describe('a customer of many payments', () => {
  async function payTimes(email: string, times: number): Promise<string> {
    const made: Charge[] = [];
    for (let i = 0; i < times; i++) {
      const one = await seedCharge(service, merchant, { input: { email, notifyPayload: `${i}` } });
      await payCharge(service, merchant, one, { now: noon });
      made.push(one);
    }
    const ids = made.map((one) => one.id);
    await service.pool.query(`UPDATE event SET payload = '{"email":"x"}' WHERE object_id = ANY($1)`, [ids]);
    return made[0]!.customerId;
  }

  test('takes as many statements as one of a single payment', async () => {
    const [single, many] = [await payTimes('one@example.com', 1), await payTimes('many@example.com', 5)];
    const now = minutesAfter(noon, 30);
    const ofOne = await recordStatements(() => eraseCustomer(service, { id: single, now }));
    const ofMany = await recordStatements(() => eraseCustomer(service, { id: many, now }));
    expect(ofMany.result).toMatchObject({ charges: 5, transfers: 5, events: 10 });
    expect(ofMany.sent.length).toBe(ofOne.sent.length);
  });

  test('has kept answers looked into before the transaction, and in it those alone that were kept since', async () => {
    const id = await payTimes('zoe@example.com', 1);
    const now = new Date();
    const keep = (key: string, createdAt: Date) =>
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
    for (const key of ['a', 'b', 'c']) await keep(key, minutesAfter(now, -60));
    // Perhaps of a transaction that has not ended when it begins.
    await keep('d', minutesAfter(now, -1));
    const isIn: boolean[] = [];
    await recordStatements((sent) => {
      const decrypt: Secrets['decrypt'] = (...given) => {
        isIn.push(sent.some(({ text }) => text === 'BEGIN'));
        return service.secrets.decrypt(...given);
      };
      return eraseCustomer({ ...service, secrets: { ...service.secrets, decrypt } }, { id, now });
    });
    expect(isIn).toEqual([false, false, false, false, true]);
    const kept = await service.prisma.idempotencyKey.findMany({
      where: { key: { in: ['a', 'b', 'c', 'd'] } },
    });
    expect(await Promise.all(kept.map((row) => readStoredResponse(service, row)))).toEqual(
      Array(4).fill('{"to":"","id":"ch_1"}'),
    );
  });
});
