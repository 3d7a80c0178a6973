import { describe, expect } from 'vitest';
import { prunePhoneVerifications } from '../../src/domain/payments/phone-verification/prune-phone-verifications.ts';
import { seedSms, sendDueMessages } from '../setup/messages.ts';
import { phoneVerificationTest } from '../setup/phone-verification.ts';
import { startReceiver } from '../setup/receiver.ts';
import { minutesAfter, noon, seedMerchant } from '../setup/seed.ts';

/** The response to every verification code that is not valid. */
const invalidCode = { status: 422, json: { code: 'verification_code_invalid' } };

describe('Phone verification', () => {
  const test = phoneVerificationTest;

  const toOtherCode = (code: string) => code.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10));

  describe('Code', () => {
    test('is sent by SMS and exchanged for a verificationCode, which creates a charge of the phone', async ({
      phoneVerification: { request, verify, readSms, charge },
    }) => {
      const sent = await request();
      expect(sent).toMatchObject({ status: 200, json: { isSuccess: true } });
      const sms = await readSms();
      expect(sms.to).toBe('+85251234567');
      expect(sms.text).toMatch(/^【Harbour Teas】您的驗證碼是 \d{6}，5 分鐘內有效/);
      const verified = await verify(sms.code);
      expect(verified.status).toBe(200);
      expect(Object.keys(verified.json)).toEqual(['verificationCode']);
      expect(Buffer.from(verified.json.verificationCode, 'base64url')).toHaveLength(32);
      const created = await charge({ verificationCode: verified.json.verificationCode });
      expect(created).toMatchObject({
        status: 201,
        json: { status: 'pending', customer: { phone: '+85251234567' }, isDuplicate: false },
      });
      expect(created.json.customer).not.toHaveProperty('email');
    });

    test.for([
      [{}, /^【/],
      [{ locale: 'en' }, /^\d{6} is your code for Harbour Teas\./],
      [{ phone: { code: '+66', phone: '812345678' } }, /^\d{6} คือรหัส/],
      [{ phone: { code: '+65', phone: '81234567' } }, /^\d{6} is your code/],
    ] as const)(
      'is sent in the requested language, or that of the country: %j',
      async ([body, text], { phoneVerification: { request, readSms } }) => {
        await request(body);
        expect((await readSms()).text).toMatch(text);
      },
    );

    test('is stored encrypted, and its verificationCode hashed', async ({
      service,
      phoneVerification: { readSms, verificationCode },
    }) => {
      const token = await verificationCode();
      const { prisma } = service;
      const [row] = await prisma.phoneVerification.findMany();
      const { code } = await readSms();
      expect(row!.codeHash).toMatch(/^[\w-]{43}$/);
      expect(JSON.stringify({ ...row, id: '', phone: '' })).not.toContain(token);
      const messages = JSON.stringify(await prisma.message.findMany());
      expect(messages).not.toContain(`"${code}`);
      expect(messages).not.toContain('验证码');
    });

    test('is rejected after five wrong attempts, even if the sixth is right', async ({
      phoneVerification: { verify, requestCode },
    }) => {
      const code = await requestCode();
      for (let n = 0; n < 5; n++) expect(await verify(toOtherCode(code))).toMatchObject(invalidCode);
      expect(await verify(code)).toMatchObject(invalidCode);
    });

    test('is accepted at the fifth attempt', async ({ phoneVerification: { verify, requestCode } }) => {
      const code = await requestCode();
      for (let n = 0; n < 4; n++) await verify(toOtherCode(code));
      expect((await verify(code)).status).toBe(200);
    });

    test('counts wrong attempts with idempotency keys, too', async ({
      phoneVerification: { verify, requestCode },
    }) => {
      const code = await requestCode();
      for (let n = 0; n < 5; n++)
        expect(await verify(toOtherCode(code), { key: `k${n}` })).toMatchObject(invalidCode);
      expect(await verify(code, { key: 'right' })).toMatchObject(invalidCode);
    });

    test('expires after exactly five minutes', async ({
      clock,
      phoneVerification: { verify, requestCode },
    }) => {
      const code = await requestCode();
      clock.set(minutesAfter(noon, 5));
      expect(await verify(code)).toMatchObject(invalidCode);
      clock.set(new Date(minutesAfter(noon, 5).getTime() - 1));
      expect((await verify(code)).status).toBe(200);
    });

    test('can be used once, and is replaced by a new code', async ({
      phoneVerification: { verify, requestCode },
    }) => {
      const first = await requestCode();
      const second = await requestCode();
      if (first !== second) expect(await verify(first)).toMatchObject(invalidCode);
      expect((await verify(second)).status).toBe(200);
      expect(await verify(second)).toMatchObject(invalidCode);
    });

    test('is valid for its own number, merchant and mode only', async ({
      service,
      phoneVerification: { verify, requestCode },
    }) => {
      const code = await requestCode();
      const other = await seedMerchant(service);
      expect(await verify(code, { by: other })).toMatchObject(invalidCode);
      expect(await verify(code, { mode: 'live' })).toMatchObject(invalidCode);
      expect(await verify(code, { phone: { code: '+852', phone: '51234568' } })).toMatchObject(invalidCode);
      expect((await verify(code)).status).toBe(200);
    });

    test('returns the same response for its idempotency key, and rejects another body', async ({
      service,
      phoneVerification: { request, verify, requestCode },
    }) => {
      const code = await requestCode({ key: 'send' });
      await request({}, { key: 'send' });
      expect(await service.prisma.message.count()).toBe(1);
      const [a, b] = [await verify(code, { key: 'v' }), await verify(code, { key: 'v' })];
      expect(b).toMatchObject({ status: 200, json: a.json, headers: { 'idempotent-replayed': 'true' } });
      expect(await verify('000000', { key: 'v' })).toMatchObject({
        status: 422,
        json: { code: 'idempotency_key_reused' },
      });
    });
  });

  describe('POST /customers/phone/verification', () => {
    test.for([
      ['a country without a payment method', { code: '+49', phone: '15123456789' }, '/phone/code'],
      ['a landline', { code: '+852', phone: '21234567' }, '/phone'],
      ['a premium number', { code: '+65', phone: '19001234567' }, '/phone'],
      ['no number', { code: '+852', phone: '1' }, '/phone'],
    ] as const)(
      'does not send a code to %s',
      async ([_, to, path], { service, phoneVerification: { request } }) => {
        const { status, json } = await request({ phone: to });
        expect(status).toBe(400);
        expect(json).toMatchObject({ code: 'invalid_request', errors: [{ path }] });
        expect(await service.prisma.message.count()).toBe(0);
      },
    );

    test('sends a code to a country that the merchant has added', async ({
      service,
      merchant,
      phoneVerification: { request },
    }) => {
      const german = { phone: { code: '+49', phone: '15123456789' } };
      await service.prisma.merchant.update({
        where: { id: merchant.merchant.id },
        data: { additionalPhoneCountries: ['DE'] },
      });
      expect((await request(german)).status).toBe(200);
      expect((await request({ phone: { code: '+33', phone: '612345678' } })).status).toBe(400);
    });

    test('requires restricted access in live mode only', async ({
      service,
      phoneVerification: { request, verify },
    }) => {
      const plain = await seedMerchant(service, { restrictedAccess: 'none' });
      const restricted = { status: 403, json: { code: 'restricted_endpoint' } };
      expect(await request({}, { by: plain, mode: 'live' })).toMatchObject(restricted);
      expect(await verify('123456', { by: plain, mode: 'live' })).toMatchObject(restricted);
      expect((await request({}, { by: plain })).status).toBe(200);
      expect((await request({}, { mode: 'live' })).status).toBe(200);
    });

    test('keeps a sandbox code in the mailbox, and deletes a live one once the gateway has it', async ({
      service,
      clock,
      phoneVerification: { request, verify },
    }) => {
      await using gateway = await startReceiver();
      await request({ locale: 'en' });
      await request({ locale: 'en' }, { mode: 'live' });
      await sendDueMessages(service, 'sms', { smsUrl: gateway.url }, { clock });
      expect(gateway.requests).toHaveLength(1);
      const { to, text } = JSON.parse(gateway.requests[0]!.body);
      expect(to).toBe('+85251234567');
      const live = await service.prisma.message.findFirstOrThrow({ where: { mode: 'live' } });
      expect(live).toMatchObject({ status: 'sent', contentEncrypted: null });
      const code = /\d{6}/.exec(text)![0];
      expect((await verify(code, { mode: 'live' })).status).toBe(200);
    });
  });

  describe('Limit', () => {
    test('of five codes in a sliding hour for each number returns 429 with Retry-After', async ({
      clock,
      phoneVerification: { request },
    }) => {
      for (let n = 0; n < 5; n++) {
        clock.set(minutesAfter(noon, n));
        expect((await request()).status).toBe(200);
      }
      clock.set(minutesAfter(noon, 10));
      const limited = await request();
      expect(limited).toMatchObject({ status: 429, json: { code: 'rate_limited' } });
      expect(limited.headers['retry-after']).toBe(String(50 * 60));
      expect((await request({ phone: { code: '+852', phone: '51234568' } })).status).toBe(200);
      clock.set(minutesAfter(noon, 60));
      expect((await request()).status).toBe(200);
      expect((await request()).status).toBe(429);
    });

    test('counts a live number over all merchants, and a sandbox number for each merchant', async ({
      service,
      phoneVerification: { request },
    }) => {
      const other = await seedMerchant(service);
      for (const mode of ['live', 'sandbox'] as const) {
        for (let n = 0; n < 5; n++) await request({}, { mode });
        expect((await request({}, { mode })).status).toBe(429);
      }
      expect((await request({}, { mode: 'live', by: other })).status).toBe(429);
      expect((await request({}, { mode: 'sandbox', by: other })).status).toBe(200);
    });

    test('of a hundred codes an hour applies to each merchant', async ({
      service,
      merchant,
      phoneVerification: { request },
    }) => {
      const { id: merchantId } = merchant.merchant;
      for (let n = 0; n < 99; n++) {
        const to = `+8525${String(n).padStart(7, '0')}`;
        await seedSms(service, { merchantId, mode: 'sandbox', to, now: minutesAfter(noon, -30) });
      }
      expect((await request()).status).toBe(200);
      const limited = await request({ phone: { code: '+852', phone: '51234568' } });
      expect(limited.status).toBe(429);
      expect(limited.headers['retry-after']).toBe(String(30 * 60));
      const other = await seedMerchant(service);
      expect((await request({}, { by: other })).status).toBe(200);
    });

    test('sends and counts nothing for a rejected request, and keeps the current code valid', async ({
      service,
      phoneVerification: { request, verify, requestCode },
    }) => {
      let code = '';
      for (let n = 0; n < 5; n++) code = await requestCode();
      expect((await request()).status).toBe(429);
      expect(await service.prisma.message.count()).toBe(5);
      expect((await verify(code)).status).toBe(200);
    });
  });

  test('Phone verifications are deleted after a day', async ({
    service,
    clock,
    phoneVerification: { requestCode },
  }) => {
    await requestCode();
    clock.set(minutesAfter(noon, 60));
    await requestCode();
    expect(await prunePhoneVerifications(service, { now: minutesAfter(noon, 24 * 60 + 30) })).toBe(1);
    expect(await service.prisma.phoneVerification.count()).toBe(1);
  });
});

describe('verificationCode', () => {
  const test = phoneVerificationTest;

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
