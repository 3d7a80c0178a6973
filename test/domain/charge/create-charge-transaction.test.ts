import { describe, expect } from 'vitest';
import type { NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import { type CreateChargeInput, createCharge } from '../../../src/domain/payments/charge/create-charge.ts';
import type { CreatedOrReusedCharge } from '../../../src/domain/payments/charge/insert-charges.ts';
import { withIdempotencyKey } from '../../../src/domain/platform/idempotency/with-idempotency-key.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { transact } from '../../../src/event/unit-of-work.ts';
import { DomainError } from '../../../src/kit/errors.ts';
import { count } from '../../setup/counts.ts';
import { serviceTest as test } from '../../setup/fixtures.ts';
import { minutesAfter, noon } from '../../setup/seed.ts';
import { recordStatements } from '../../setup/sent-statements.ts';

/** REST creates a charge in its own transaction; GraphQL with an idempotency key creates it within another. */

const toInput = (email: string): CreateChargeInput => ({
  email,
  merchantAmount: 128.5,
  merchantCurrency: 'USD',
  method: 'fps',
  orders: [{ id: 'tea-7', name: 'Oolong', quantity: 2, amount: 64.25 }],
  notifyPayload: 'payload',
  notifyUrl: 'https://shop.example/notify',
});

const toOptions = (merchant: NewMerchant, input: CreateChargeInput, now: Date) =>
  ({ merchant: merchant.merchant, mode: 'live', actor: 'key:test', input, now }) as const;

const create = (
  service: Service,
  merchant: NewMerchant,
  input: CreateChargeInput,
  now = noon,
  by = service,
) => createCharge(by, toOptions(merchant, input, now));

const createWithin = (service: Service, merchant: NewMerchant, input: CreateChargeInput, now = noon) =>
  transact(service, (uow) => create(service, merchant, input, now, uow));

const toIdempotencyOptions = (merchant: NewMerchant, key: string, content: string, now = noon) => ({
  merchantId: merchant.merchant.id,
  mode: 'live' as const,
  key,
  content,
  retentionMs: 3_600_000,
  now,
  toResponse: ({ charge }: CreatedOrReusedCharge) => ({ status: 201, body: { id: charge.id } }),
});

const once = (service: Service, merchant: NewMerchant, key: string, input: CreateChargeInput, now = noon) =>
  withIdempotencyKey(service, {
    ...toIdempotencyOptions(merchant, key, JSON.stringify(input), now),
    transact: (idempotency) => createCharge(service, { ...toOptions(merchant, input, now), idempotency }),
  });

const readRows = async (service: Service, email: string) => {
  const charges = await service.prisma.charge.findMany({ where: { email }, include: { customer: true } });
  const ids = charges.map(({ id }) => id);
  const events = await service.prisma.event.findMany({ where: { objectId: { in: ids } } });
  return { charges, events };
};

describe('createCharge', () => {
  test.for([
    ['in its own transaction', create],
    ['within another transaction', createWithin],
  ] as const)(
    'returns the charge as it is stored when it is created %s',
    async ([variant, createVariant], { service, merchant }) => {
      const email = `${variant.replaceAll(' ', '-')}@example.com`;
      const { charge } = await createVariant(service, merchant, toInput(email));
      const { charges, events } = await readRows(service, email);
      expect(charges).toHaveLength(1);
      const { customer, ...stored } = charges[0]!;
      // Prisma returns another class of decimals.
      expect({ ...charge, rate: charge.rate.toString() }).toEqual({
        ...stored,
        rate: stored.rate.toString(),
      });
      expect(customer.email).toBe(email);
      expect(events).toMatchObject([{ type: 'charge_created', objectId: charge.id, actor: 'key:test' }]);
      const { charge: equal, isReused } = await createVariant(service, merchant, toInput(email));
      expect([equal, isReused]).toEqual([stored, true]);
    },
  );

  test('takes four round trips, or six with an idempotency key', async ({ service, merchant }) => {
    const countRoundTrips = async (work: () => Promise<unknown>) => {
      const { sent } = await recordStatements(work);
      const begin = sent.findIndex(({ text }) => text.startsWith('BEGIN'));
      return sent.length - begin;
    };
    expect(await countRoundTrips(() => create(service, merchant, toInput('trips@example.com')))).toBe(4);
    expect(
      await countRoundTrips(() => once(service, merchant, 'trips', toInput('trips-key@example.com'))),
    ).toBe(6);
  });

  test('announces the charge after the commit', async ({ service, merchant }) => {
    const notices: string[] = [];
    const announcingService = { ...service, announce: (notice: string) => void notices.push(notice) };
    const { charge } = await create(
      service,
      merchant,
      toInput('watched@example.com'),
      noon,
      announcingService,
    );
    expect(notices).toEqual([`${charge.id} ${merchant.merchant.id} live`]);
  });

  test('creates one charge for twelve equal requests that run concurrently', async ({
    service,
    merchant,
  }) => {
    for (let round = 0; round < count(10, 200); round++) {
      const input = toInput(`race${round}@example.com`);
      const variants = Array.from({ length: 12 }, (_, i) => (i % 3 === 0 ? createWithin : create));
      const created = await Promise.all(
        variants.map((createVariant) => createVariant(service, merchant, input)),
      );
      expect(new Set(created.map(({ charge }) => charge.id)).size).toBe(1);
      expect(created.filter(({ isReused }) => !isReused)).toHaveLength(1);
      expect((await readRows(service, input.email!)).charges).toHaveLength(1);
    }
  });

  test('creates one charge for nine concurrent requests with one idempotency key', async ({
    service,
    merchant,
  }) => {
    for (let round = 0; round < count(10, 200); round++) {
      const inputs = Array.from({ length: 9 }, () => toInput(`key${round % 5}@example.com`));
      // The payloads differ, so that only the key identifies the requests.
      const results = await Promise.allSettled(
        inputs.map((input, i) =>
          once(service, merchant, `race ${round}`, { ...input, notifyPayload: `${round} ${i % 3}` }),
        ),
      );
      const ids = results.flatMap((result) => (result.status === 'fulfilled' ? result.value.body.id : []));
      expect(new Set(ids).size).toBe(1);
      for (const result of results) {
        if (result.status === 'rejected')
          expect(result.reason).toMatchObject({ code: 'idempotency_key_reused' });
      }
      const { charges } = await readRows(service, inputs[0]!.email!);
      expect(charges.filter(({ notifyPayload }) => notifyPayload?.startsWith(`${round} `))).toHaveLength(1);
    }
  });

  test('repeats a stored response until its idempotency key expires', async ({ service, merchant }) => {
    const input = toInput('expired@example.com');
    const first = await once(service, merchant, 'expired', input);
    expect(await once(service, merchant, 'expired', input, minutesAfter(noon, 59))).toMatchObject({
      isReplay: true,
      body: first.body,
    });
    const repeated = await once(
      service,
      merchant,
      'expired',
      { ...input, notifyPayload: 'other' },
      minutesAfter(noon, 61),
    );
    expect(repeated).toMatchObject({ isReplay: false });
    expect(repeated.body).not.toEqual(first.body);
    expect(await service.prisma.idempotencyKey.count({ where: { key: 'expired' } })).toBe(1);
  });

  test('repeats the stored response even if the request has become invalid', async ({
    service,
    merchant,
  }) => {
    const input = toInput('rejected@example.com');
    const first = await once(service, merchant, 'rejected', input);
    const invalid = (key: string, content: string) =>
      withIdempotencyKey(service, {
        ...toIdempotencyOptions(merchant, key, content),
        transact: async () => {
          throw new DomainError('method_unavailable');
        },
      });
    expect(await invalid('rejected', JSON.stringify(input))).toEqual({ ...first, isReplay: true });
    await expect(invalid('rejected', 'other')).rejects.toMatchObject({ code: 'idempotency_key_reused' });
    await expect(invalid('new', 'other')).rejects.toMatchObject({ code: 'method_unavailable' });
  });

  test('rolls back completely when a write fails, and releases its connection', async ({
    service,
    merchant,
  }) => {
    await service.prisma.$executeRawUnsafe(`
      CREATE FUNCTION reject_event() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'no space left on device' USING ERRCODE = '53100'; END $$`);
    await service.prisma.$executeRawUnsafe(
      'CREATE TRIGGER reject BEFORE INSERT ON event FOR EACH ROW EXECUTE FUNCTION reject_event()',
    );
    const input = toInput('full@example.com');
    const connections = service.pool.totalCount;
    await expect(once(service, merchant, 'full', input)).rejects.toThrow('no space left');
    expect(service.pool.totalCount).toBe(connections);
    expect((await readRows(service, 'full@example.com')).charges).toEqual([]);
    expect(await service.prisma.customer.count({ where: { email: 'full@example.com' } })).toBe(0);
    expect(await service.prisma.idempotencyKey.count({ where: { key: 'full' } })).toBe(0);
    await service.prisma.$executeRawUnsafe('DROP TRIGGER reject ON event');
    expect(await once(service, merchant, 'full', input)).toMatchObject({ isReplay: false, status: 201 });
  });
});
