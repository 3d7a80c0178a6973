import { beforeAll, describe, expect, test } from 'vitest';
import { type CreateChargeInput, createCharge } from '../../../src/domain/charge/create-charge.ts';
import { answerOnce } from '../../../src/domain/idempotency/answer-once.ts';
import type { NewMerchant } from '../../../src/domain/merchant/create-merchant.ts';
import type { Service } from '../../../src/domain/service.ts';
import { transact } from '../../../src/event/unit-of-work.ts';
import { DomainError } from '../../../src/kit/errors.ts';
import { count } from '../../setup/counts.ts';
import { makeMerchant, minutesAfter, noon } from '../../setup/makers.ts';
import { testService } from '../../setup/service.ts';

/** The quick way to create a charge, beside the transaction that it stands for. */

let service: Service;
let merchant: NewMerchant;
/** Statements that were sent past Prisma. */
let quick = 0;

beforeAll(async () => {
  const own = await testService();
  const { pool } = own;
  const query = pool.query.bind(pool) as (...given: unknown[]) => unknown;
  pool.query = ((...given: unknown[]) => {
    const [{ name }] = given as [{ name?: string }];
    if (name?.startsWith('plain_')) quick++;
    return query(...given);
  }) as typeof pool.query;
  service = own;
  merchant = await makeMerchant(service);
});

const inputOf = (email: string): CreateChargeInput => ({
  email,
  merchantAmount: 128.5,
  merchantCurrency: 'USD',
  method: 'fps',
  orders: [{ id: 'tea-7', name: 'Oolong', quantity: 2, amount: 64.25 }],
  notifyPayload: 'payload',
  notifyUrl: 'https://shop.example/told',
});

const create = (by: Service, input: CreateChargeInput, now = noon) =>
  createCharge(by, { merchant: merchant.merchant, mode: 'live', actor: 'key:test', input, now });

const createInTransaction = (input: CreateChargeInput) => transact(service, (uow) => create(uow, input));

const once = (by: Service, key: string, input: CreateChargeInput, now = noon) =>
  answerOnce(by, {
    merchantId: merchant.merchant.id,
    mode: 'live',
    key,
    content: JSON.stringify(input),
    keepMs: 3_600_000,
    now,
    asksLate: true,
    work: (own) => create(own, input, now),
    toAnswer: ({ charge }) => ({ status: 201, body: { id: charge.id } }),
  });

const rowsOf = async (email: string) => {
  const charges = await service.prisma.charge.findMany({ where: { email }, include: { customer: true } });
  const ids = charges.map(({ id }) => id);
  const events = await service.prisma.event.findMany({ where: { objectId: { in: ids } } });
  return { charges, events };
};

describe('a charge that is created in one statement', () => {
  test('is stored, told and answered as one of a transaction', async () => {
    const before = quick;
    const first = await create(service, inputOf('quick@example.com'));
    expect(quick - before).toBe(1);
    const plain = await createInTransaction(inputOf('plain@example.com'));
    expect(quick - before).toBe(1);
    const [one, other] = [await rowsOf('quick@example.com'), await rowsOf('plain@example.com')];
    const own = new RegExp(
      [first.charge, plain.charge].flatMap((it) => [it.id, it.nonce, it.customerId]).join('|'),
      'g',
    );
    const alike = (value: unknown) =>
      JSON.parse(
        JSON.stringify(value, (_name, member) => (typeof member === 'bigint' ? `${member}` : member))
          .replace(own, '…')
          .replace(/quick@|plain@/g, '')
          // The code is made of the nonce, and ends with a sum over it; ids of events are their own.
          .replace(/"qrCode":"[^"]*"/g, '"qrCode":"…"')
          .replace(/ev_[0-9a-z]+/g, '…'),
      );
    expect(alike(one)).toEqual(alike(other));
    expect(one.events).toHaveLength(1);
    const { customer: _, ...stored } = one.charges[0]!;
    expect(alike(first.charge)).toEqual(alike(stored));
  });

  test('takes a second statement where the process does not know the customer yet', async () => {
    const told = (notifyPayload: string) => ({ ...inputOf('elsewhere@example.com'), notifyPayload });
    const first = await createInTransaction(told('as of another process'));
    const statements = async (input: CreateChargeInput) => {
      const before = quick;
      const { charge } = await create(service, input);
      expect(charge.customerId).toBe(first.charge.customerId);
      return quick - before;
    };
    expect(await statements(told('second'))).toBe(2);
    expect(await statements(told('third'))).toBe(1);
    expect((await rowsOf('elsewhere@example.com')).events).toHaveLength(3);
  });

  test('is told to who watches', async () => {
    const notices: string[] = [];
    const { charge } = await create(
      { ...service, announce: (notice) => void notices.push(notice) },
      inputOf('watched@example.com'),
    );
    expect(notices).toEqual([`${charge.id} ${merchant.merchant.id} live`]);
  });

  test('is one, however many ask for it at once, in either way', async () => {
    for (let round = 0; round < count(10, 200); round++) {
      const input = inputOf(`race${round}@example.com`);
      const ways = Array.from({ length: 12 }, (_, i) => i % 3 === 0);
      const made = await Promise.all(
        ways.map((isIn) => (isIn ? createInTransaction(input) : create(service, input))),
      );
      expect(new Set(made.map(({ charge }) => charge.id)).size).toBe(1);
      expect(made.filter(({ isDuplicate }) => !isDuplicate)).toHaveLength(1);
      expect((await rowsOf(input.email!)).charges).toHaveLength(1);
    }
  });

  test('is one for a key, however many bring it at once, for customers old and new', async () => {
    for (let round = 0; round < count(10, 200); round++) {
      const asks = Array.from({ length: 9 }, () => inputOf(`key${round % 5}@example.com`));
      // Each of its own terms, so that nothing but the key makes them one.
      const answers = await Promise.allSettled(
        asks.map((input, i) =>
          once(service, `race ${round}`, { ...input, notifyPayload: `${round} ${i % 3}` }),
        ),
      );
      const ids = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value.body.id : []));
      expect(new Set(ids).size).toBe(1);
      for (const answer of answers) {
        if (answer.status === 'rejected')
          expect(answer.reason).toMatchObject({ code: 'idempotency_key_reused' });
      }
      const { charges } = await rowsOf(asks[0]!.email!);
      expect(charges.filter(({ notifyPayload }) => notifyPayload?.startsWith(`${round} `))).toHaveLength(1);
    }
  });

  test('takes the place of an answer that has expired under its key, and repeats one that has not', async () => {
    const input = inputOf('expired@example.com');
    const first = await once(service, 'expired', input);
    expect(await once(service, 'expired', input, minutesAfter(noon, 59))).toMatchObject({
      isReplay: true,
      body: first.body,
    });
    const again = await once(
      service,
      'expired',
      { ...input, notifyPayload: 'other' },
      minutesAfter(noon, 61),
    );
    expect(again).toMatchObject({ isReplay: false });
    expect(again.body).not.toEqual(first.body);
    expect(await service.prisma.idempotencyKey.count({ where: { key: 'expired' } })).toBe(1);
  });

  test('is repeated under its key also where it would be refused by now', async () => {
    const input = inputOf('refused@example.com');
    const first = await once(service, 'refused', input);
    const refused = (key: string, content: string) =>
      answerOnce(service, {
        ...{
          merchantId: merchant.merchant.id,
          mode: 'live',
          key,
          content,
          keepMs: 1,
          now: noon,
          asksLate: true,
        },
        work: async () => {
          throw new DomainError('method_unavailable');
        },
        toAnswer: () => ({ status: 201, body: {} }),
      });
    expect(await refused('refused', JSON.stringify(input))).toEqual({ ...first, isReplay: true });
    await expect(refused('refused', 'other')).rejects.toMatchObject({ code: 'idempotency_key_reused' });
    await expect(refused('new', 'other')).rejects.toMatchObject({ code: 'method_unavailable' });
  });

  test('writes nothing when any of it cannot be written', async () => {
    await service.prisma.$executeRawUnsafe(`
      CREATE FUNCTION refuse_event() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'no space left on device' USING ERRCODE = '53100'; END $$`);
    await service.prisma.$executeRawUnsafe(
      'CREATE TRIGGER refuse BEFORE INSERT ON event FOR EACH ROW EXECUTE FUNCTION refuse_event()',
    );
    const input = inputOf('full@example.com');
    await expect(once(service, 'full', input)).rejects.toThrow();
    expect((await rowsOf('full@example.com')).charges).toEqual([]);
    expect(await service.prisma.customer.count({ where: { email: 'full@example.com' } })).toBe(0);
    expect(await service.prisma.idempotencyKey.count({ where: { key: 'full' } })).toBe(0);
    await service.prisma.$executeRawUnsafe('DROP TRIGGER refuse ON event');
    expect(await once(service, 'full', input)).toMatchObject({ isReplay: false, status: 201 });
  });
});
