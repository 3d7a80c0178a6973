import { describe, expect, test } from 'vitest';
import { makeMerchant, minutesAfter, noon } from '../setup/makers.ts';
import { invalidCode, phoneVerifier } from '../setup/phone.ts';

/** Charges for a phone that was verified. */

const { clock, service, verificationCode, charge } = phoneVerifier();

describe('a verificationCode', () => {
  test('is good for one charge, also beside an e-mail', async () => {
    const code = await verificationCode();
    const made = await charge({ verificationCode: code, email: 'ada@example.com' });
    expect(made).toMatchObject({
      status: 201,
      json: { customer: { email: 'ada@example.com', phone: '+85251234567' } },
    });
    expect(await charge({ verificationCode: code, email: 'ada@example.com' })).toMatchObject(invalidCode);
  });

  test('finds the customer of the phone again', async () => {
    const [first, second] = [await verificationCode(), await verificationCode()];
    const a = await charge({ verificationCode: first });
    const b = await charge({ verificationCode: second, merchantAmount: 10 });
    expect(b.json.customer).toEqual(a.json.customer);
  });

  test('beside an e-mail finds the customer of the phone, who has the e-mail from then on', async () => {
    const customerOf = async (input: object) => (await charge(input)).json.customer;
    const known = await customerOf({ verificationCode: await verificationCode() });
    const email = 'bea@example.com';
    const both = { verificationCode: await verificationCode(), email, merchantAmount: 11 };
    expect(await customerOf(both)).toEqual({ ...known, email });
    const alone = await customerOf({ email: 'Bea@example.com', merchantAmount: 12 });
    expect(alone.id).toBe(known.id);
    // Who has another e-mail is another customer, by the same phone too.
    const other = { verificationCode: await verificationCode(), email: 'cy@example.com' };
    const cy = await customerOf({ ...other, merchantAmount: 13 });
    expect(cy.id).not.toBe(known.id);
    const again = { verificationCode: await verificationCode(), email: 'cy@example.com' };
    expect((await customerOf({ ...again, merchantAmount: 14 })).id).toBe(cy.id);
  });

  test('is used up by a duplicate too', async () => {
    const [first, second] = [await verificationCode(), await verificationCode()];
    const a = await charge({ verificationCode: first });
    const b = await charge({ verificationCode: second });
    expect(b).toMatchObject({ status: 200, json: { id: a.json.id, isDuplicate: true } });
    expect(await charge({ verificationCode: second, merchantAmount: 7 })).toMatchObject(invalidCode);
  });

  test('is not used up by a charge that is refused', async () => {
    const code = await verificationCode();
    const bad = await charge({ verificationCode: code, merchantAmount: 100_000_000 });
    expect(bad).toMatchObject({ status: 422, json: { code: 'amount_out_of_range' } });
    expect((await charge({ verificationCode: code, hash: 'wrong' })).json.code).toBe('hash_mismatch');
    expect((await charge({ verificationCode: code })).status).toBe(201);
  });

  test('ends after five minutes, and is of its merchant and mode alone', async () => {
    const code = await verificationCode();
    const other = await makeMerchant(service());
    expect(await charge({ verificationCode: code }, { by: other })).toMatchObject(invalidCode);
    expect(await charge({ verificationCode: code }, { mode: 'live' })).toMatchObject(invalidCode);
    clock.set(minutesAfter(noon, 5));
    expect(await charge({ verificationCode: code })).toMatchObject(invalidCode);
    clock.set(new Date(minutesAfter(noon, 5).getTime() - 1));
    expect((await charge({ verificationCode: code })).status).toBe(201);
  });

  test('under an idempotency key gives the same charge again', async () => {
    const code = await verificationCode();
    const first = await charge({ verificationCode: code }, { key: 'once' });
    const again = await charge({ verificationCode: code }, { key: 'once' });
    expect(again).toMatchObject({
      status: 201,
      json: first.json,
      headers: { 'idempotent-replayed': 'true' },
    });
  });

  test('that never was is refused, and without one an e-mail is needed', async () => {
    for (const verificationCode of ['', 'x', 'A'.repeat(43)])
      expect(await charge({ verificationCode })).toMatchObject(invalidCode);
    expect(await charge({})).toMatchObject({ status: 400, json: { code: 'invalid_request' } });
  });
});
