import { beforeAll, describe, expect, test } from 'vitest';
import type { NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import { createCharge } from '../../../src/domain/payments/charge/create-charge.ts';
import type { CustomerDetails } from '../../../src/domain/payments/customer/customer-input.ts';
import { upsertCustomer } from '../../../src/domain/payments/customer/upsert-customer.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { transact } from '../../../src/event/unit-of-work.ts';
import { cleanupAfterFile } from '../../setup/cleanup.ts';
import { count } from '../../setup/counts.ts';
import { minutesAfter, noon, seedMerchant } from '../../setup/seed.ts';
import { setupService } from '../../setup/service.ts';

const onCleanup = cleanupAfterFile();

let service: Service;
let merchant: NewMerchant;
const rounds = count(15, 200);

beforeAll(async () => {
  service = await setupService(onCleanup);
  merchant = await seedMerchant(service);
});

const owner = () => ({ merchantId: merchant.merchant.id, mode: 'live' as const });
const record = (details: CustomerDetails, now = noon) =>
  transact(service, async ({ tx }) => {
    const id = await upsertCustomer(tx, { ...owner(), details, now });
    return tx.customer.findUniqueOrThrow({ where: { id } });
  });
const known = (details: CustomerDetails) =>
  service.prisma.customer.findMany({
    where: { ...owner(), OR: [{ email: details.email ?? '' }, { phone: details.phone ?? '' }] },
  });

let people = 0;
/** Somebody whom nobody knows yet. */
function somebody(): { email: string; phone: string } {
  const number = String(++people).padStart(4, '0');
  return { email: `person${number}@example.com`, phone: `+8525123${number}` };
}

describe('a customer', () => {
  test('is found by e-mail, else by phone, else made', async () => {
    const { email, phone } = somebody();
    const byPhone = await record({ phone });
    expect(byPhone).toMatchObject({ email: null, phone });
    const later = minutesAfter(noon, 1);
    const both = await record({ email: email.toUpperCase(), phone }, later);
    expect(both).toEqual({ ...byPhone, email, updatedAt: later });
    for (const details of [{ email }, { phone }, { email, phone }])
      expect((await record(details)).id).toBe(both.id);
    expect(await known({ email, phone })).toHaveLength(1);
  });

  test('who has another e-mail is somebody else', async () => {
    const [ada, bob] = [somebody(), somebody()];
    const first = await record(ada);
    const second = await record({ email: bob.email, phone: ada.phone });
    expect(second).toMatchObject({ email: bob.email, phone: ada.phone });
    expect(second.id).not.toBe(first.id);
  });

  test('found by e-mail keeps it, whoever has the phone', async () => {
    const [ada, bob] = [somebody(), somebody()];
    const [byEmail, byPhone] = [await record({ email: ada.email }), await record({ phone: bob.phone })];
    expect((await record({ email: ada.email, phone: bob.phone })).id).toBe(byEmail.id);
    expect(await service.prisma.customer.findUnique({ where: { id: byPhone.id } })).toEqual(byPhone);
  });
});

describe('at once', () => {
  test('by phone and by both is one, however many ask', async () => {
    for (let round = 0; round < rounds; round++) {
      const { email, phone } = somebody();
      const ways = Array.from({ length: 8 }, (_, i) => (i % 2 === round % 2 ? { phone } : { email, phone }));
      const made = await Promise.all(ways.map((details) => record(details)));
      expect(new Set(made.map(({ id }) => id)).size).toBe(1);
      expect(await known({ email, phone })).toMatchObject([{ email, phone }]);
    }
  });

  test('two e-mails beside the phone of one: one is given to it, the other is somebody else’s', async () => {
    for (let round = 0; round < rounds; round++) {
      const [ada, bob] = [somebody(), somebody()];
      const { id } = await record({ phone: ada.phone });
      const ways = [ada.email, bob.email, ada.email, bob.email];
      const made = await Promise.all(ways.map((email) => record({ email, phone: ada.phone })));
      const ids = new Set(made.map((customer) => customer.id));
      expect([ids.size, ids.has(id)]).toEqual([2, true]);
      const stored = await known({ phone: ada.phone });
      expect(stored.map(({ email }) => email).toSorted()).toEqual([ada.email, bob.email].toSorted());
    }
  });

  test('a charge for the e-mail alone, in its one statement, finds who is given it, or is found', async () => {
    for (let round = 0; round < rounds; round++) {
      const { email, phone } = somebody();
      await record({ phone });
      const input = { email, merchantAmount: 128.5, merchantCurrency: 'HKD', method: 'fps' };
      const charge = async () => {
        const options = { merchant: merchant.merchant, mode: 'live', actor: 'key:test', now: noon } as const;
        return (await createCharge(service, { ...options, input })).charge.customerId;
      };
      const named = async () => (await record({ email, phone })).id;
      const ids = await Promise.all([charge(), named(), charge(), named(), charge()]);
      expect(new Set(ids).size).toBe(1);
      expect(await service.prisma.customer.count({ where: { ...owner(), email } })).toBe(1);
      expect(await service.prisma.charge.count({ where: { customerId: ids[0]! } })).toBe(1);
    }
  });
});
