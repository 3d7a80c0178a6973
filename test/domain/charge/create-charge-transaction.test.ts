import { beforeAll, describe, expect, test } from 'vitest';
import type { NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import { type CreateChargeInput, createCharge } from '../../../src/domain/payments/charge/create-charge.ts';
import type { CreatedCharge } from '../../../src/domain/payments/charge/insert-charges.ts';
import { withIdempotencyKey } from '../../../src/domain/platform/idempotency/with-idempotency-key.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { transact } from '../../../src/event/unit-of-work.ts';
import { DomainError } from '../../../src/kit/errors.ts';
import { count } from '../../setup/counts.ts';
import { makeMerchant, minutesAfter, noon } from '../../setup/makers.ts';
import { spying } from '../../setup/sent-sql.ts';
import { testService } from '../../setup/service.ts';

/** Creating a charge in a transaction of its own (REST), and as a part of another (GraphQL with an idempotency key). */

let service: Service;
let merchant: NewMerchant;

beforeAll(async () => {
  service = await testService();
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

const optionsOf = (input: CreateChargeInput, now: Date) =>
  ({ merchant: merchant.merchant, mode: 'live', actor: 'key:test', input, now }) as const;

const create = (input: CreateChargeInput, now = noon, by = service) =>
  createCharge(by, optionsOf(input, now));

const createWithin = (input: CreateChargeInput, now = noon) =>
  transact(service, (uow) => create(input, now, uow));

const keyed = (key: string, content: string, now = noon) => ({
  merchantId: merchant.merchant.id,
  mode: 'live' as const,
  key,
  content,
  keepMs: 3_600_000,
  now,
  toResponse: ({ charge }: CreatedCharge) => ({ status: 201, body: { id: charge.id } }),
});

const once = (key: string, input: CreateChargeInput, now = noon) =>
  withIdempotencyKey(service, {
    ...keyed(key, JSON.stringify(input), now),
    transact: (own) => createCharge(service, { ...optionsOf(input, now), idempotency: own }),
  });

const rowsOf = async (email: string) => {
  const charges = await service.prisma.charge.findMany({ where: { email }, include: { customer: true } });
  const ids = charges.map(({ id }) => id);
  const events = await service.prisma.event.findMany({ where: { objectId: { in: ids } } });
  return { charges, events };
};

describe('a new charge', () => {
  test.each([
    ['alone', create],
    ['as a part of another transaction', createWithin],
  ])('is returned as it is stored, when it is created %s', async (how, by) => {
    const email = `${how.replaceAll(' ', '-')}@example.com`;
    const { charge } = await by(inputOf(email));
    const { charges, events } = await rowsOf(email);
    expect(charges).toHaveLength(1);
    const { customer, ...stored } = charges[0]!;
    // Two classes of decimals.
    expect({ ...charge, rate: charge.rate.toString() }).toEqual({ ...stored, rate: stored.rate.toString() });
    expect(customer.email).toBe(email);
    expect(events).toMatchObject([{ type: 'charge_created', objectId: charge.id, actor: 'key:test' }]);
    const { charge: equal, isDuplicate } = await by(inputOf(email));
    expect([equal, isDuplicate]).toEqual([stored, true]);
  });

  test('takes four round trips, and six with an idempotency key', async () => {
    const tripsOf = async (work: () => Promise<unknown>) => {
      const { sent } = await spying(work);
      const begin = sent.findIndex(({ text }) => text.startsWith('BEGIN'));
      return sent.length - begin;
    };
    expect(await tripsOf(() => create(inputOf('trips@example.com')))).toBe(4);
    expect(await tripsOf(() => once('trips', inputOf('trips-key@example.com')))).toBe(6);
  });

  test('is announced after the commit', async () => {
    const notices: string[] = [];
    const own = { ...service, announce: (notice: string) => void notices.push(notice) };
    const { charge } = await create(inputOf('watched@example.com'), noon, own);
    expect(notices).toEqual([`${charge.id} ${merchant.merchant.id} live`]);
  });

  test('is one, however many requests are equal and run at once', async () => {
    for (let round = 0; round < count(10, 200); round++) {
      const input = inputOf(`race${round}@example.com`);
      const ways = Array.from({ length: 12 }, (_, i) => (i % 3 === 0 ? createWithin : create));
      const created = await Promise.all(ways.map((by) => by(input)));
      expect(new Set(created.map(({ charge }) => charge.id)).size).toBe(1);
      expect(created.filter(({ isDuplicate }) => !isDuplicate)).toHaveLength(1);
      expect((await rowsOf(input.email!)).charges).toHaveLength(1);
    }
  });

  test('is one for an idempotency key, however many requests bring it at once', async () => {
    for (let round = 0; round < count(10, 200); round++) {
      const asks = Array.from({ length: 9 }, () => inputOf(`key${round % 5}@example.com`));
      // Each has terms of its own, so that only the key identifies them.
      const answers = await Promise.allSettled(
        asks.map((input, i) => once(`race ${round}`, { ...input, notifyPayload: `${round} ${i % 3}` })),
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

  test('replaces an answer that has expired under its key, and repeats one that has not', async () => {
    const input = inputOf('expired@example.com');
    const first = await once('expired', input);
    expect(await once('expired', input, minutesAfter(noon, 59))).toMatchObject({
      isReplay: true,
      body: first.body,
    });
    const again = await once('expired', { ...input, notifyPayload: 'other' }, minutesAfter(noon, 61));
    expect(again).toMatchObject({ isReplay: false });
    expect(again.body).not.toEqual(first.body);
    expect(await service.prisma.idempotencyKey.count({ where: { key: 'expired' } })).toBe(1);
  });

  test('is repeated under its key also where it would be invalid by now', async () => {
    const input = inputOf('refused@example.com');
    const first = await once('refused', input);
    const invalid = (key: string, content: string) =>
      withIdempotencyKey(service, {
        ...keyed(key, content),
        transact: async () => {
          throw new DomainError('method_unavailable');
        },
      });
    expect(await invalid('refused', JSON.stringify(input))).toEqual({ ...first, isReplay: true });
    await expect(invalid('refused', 'other')).rejects.toMatchObject({ code: 'idempotency_key_reused' });
    await expect(invalid('new', 'other')).rejects.toMatchObject({ code: 'method_unavailable' });
  });

  test('is rolled back whole when any of it cannot be written, and its connection is used again', async () => {
    await service.prisma.$executeRawUnsafe(`
      CREATE FUNCTION refuse_event() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'no space left on device' USING ERRCODE = '53100'; END $$`);
    await service.prisma.$executeRawUnsafe(
      'CREATE TRIGGER refuse BEFORE INSERT ON event FOR EACH ROW EXECUTE FUNCTION refuse_event()',
    );
    const input = inputOf('full@example.com');
    const connections = service.pool.totalCount;
    await expect(once('full', input)).rejects.toThrow('no space left');
    expect(service.pool.totalCount).toBe(connections);
    expect((await rowsOf('full@example.com')).charges).toEqual([]);
    expect(await service.prisma.customer.count({ where: { email: 'full@example.com' } })).toBe(0);
    expect(await service.prisma.idempotencyKey.count({ where: { key: 'full' } })).toBe(0);
    await service.prisma.$executeRawUnsafe('DROP TRIGGER refuse ON event');
    expect(await once('full', input)).toMatchObject({ isReplay: false, status: 201 });
  });
});
