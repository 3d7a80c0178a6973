import { describe, expect } from 'vitest';
import { invalidCode, phoneVerificationTest as test } from '../setup/phone-verification.ts';
import { minutesAfter, noon, seedMerchant } from '../setup/seed.ts';

describe('verificationCode', () => {
  test('can be used for one charge, also together with an email', async ({
    phoneVerification: { verificationCode, charge },
  }) => {
    const code = await verificationCode();
    const created = await charge({ verificationCode: code, email: 'ada@example.com' });
    expect(created).toMatchObject({
      status: 201,
      json: { customer: { email: 'ada@example.com', phone: '+85251234567' } },
    });
    expect(await charge({ verificationCode: code, email: 'ada@example.com' })).toMatchObject(invalidCode);
  });

  test('finds the existing customer of the phone', async ({
    phoneVerification: { verificationCode, charge },
  }) => {
    const [first, second] = [await verificationCode(), await verificationCode()];
    const a = await charge({ verificationCode: first });
    const b = await charge({ verificationCode: second, merchantAmount: 10 });
    expect(b.json.customer).toEqual(a.json.customer);
  });

  test('assigns a new email to the existing customer of the phone', async ({
    phoneVerification: { verificationCode, charge },
  }) => {
    const createForCustomer = async (input: object) => (await charge(input)).json.customer;
    const customer = await createForCustomer({ verificationCode: await verificationCode() });
    const email = 'bea@example.com';
    const both = { verificationCode: await verificationCode(), email, merchantAmount: 11 };
    expect(await createForCustomer(both)).toEqual({ ...customer, email });
    const alone = await createForCustomer({ email: 'Bea@example.com', merchantAmount: 12 });
    expect(alone.id).toBe(customer.id);
    // Another email is another customer, also with the same phone.
    const other = { verificationCode: await verificationCode(), email: 'cy@example.com' };
    const cy = await createForCustomer({ ...other, merchantAmount: 13 });
    expect(cy.id).not.toBe(customer.id);
    const repeated = { verificationCode: await verificationCode(), email: 'cy@example.com' };
    expect((await createForCustomer({ ...repeated, merchantAmount: 14 })).id).toBe(cy.id);
  });

  test('is consumed by a duplicate, too', async ({ phoneVerification: { verificationCode, charge } }) => {
    const [first, second] = [await verificationCode(), await verificationCode()];
    const a = await charge({ verificationCode: first });
    const b = await charge({ verificationCode: second });
    expect(b).toMatchObject({ status: 200, json: { id: a.json.id, isDuplicate: true } });
    expect(await charge({ verificationCode: second, merchantAmount: 7 })).toMatchObject(invalidCode);
  });

  test('is not consumed by a rejected charge', async ({
    phoneVerification: { verificationCode, charge },
  }) => {
    const code = await verificationCode();
    const rejected = await charge({ verificationCode: code, merchantAmount: 100_000_000 });
    expect(rejected).toMatchObject({ status: 422, json: { code: 'amount_out_of_range' } });
    expect((await charge({ verificationCode: code, hash: 'wrong' })).json.code).toBe('hash_mismatch');
    expect((await charge({ verificationCode: code })).status).toBe(201);
  });

  test('expires after five minutes, and is valid for its own merchant and mode only', async ({
    service,
    clock,
    phoneVerification: { verificationCode, charge },
  }) => {
    const code = await verificationCode();
    const other = await seedMerchant(service);
    expect(await charge({ verificationCode: code }, { by: other })).toMatchObject(invalidCode);
    expect(await charge({ verificationCode: code }, { mode: 'live' })).toMatchObject(invalidCode);
    clock.set(minutesAfter(noon, 5));
    expect(await charge({ verificationCode: code })).toMatchObject(invalidCode);
    clock.set(new Date(minutesAfter(noon, 5).getTime() - 1));
    expect((await charge({ verificationCode: code })).status).toBe(201);
  });

  test('returns the same charge again with an idempotency key', async ({
    phoneVerification: { verificationCode, charge },
  }) => {
    const code = await verificationCode();
    const first = await charge({ verificationCode: code }, { key: 'once' });
    const repeated = await charge({ verificationCode: code }, { key: 'once' });
    expect(repeated).toMatchObject({
      status: 201,
      json: first.json,
      headers: { 'idempotent-replayed': 'true' },
    });
  });

  test('is rejected when it is unknown; without one, an email is required', async ({
    phoneVerification: { charge },
  }) => {
    for (const verificationCode of ['', 'x', 'A'.repeat(43)])
      expect(await charge({ verificationCode })).toMatchObject(invalidCode);
    expect(await charge({})).toMatchObject({ status: 400, json: { code: 'invalid_request' } });
  });
});
