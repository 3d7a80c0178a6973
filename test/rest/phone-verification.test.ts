import { describe, expect, test } from 'vitest';
import { prunePhoneVerifications } from '../../src/domain/payments/phone-verification/prune-phone-verifications.ts';
import { makeMerchant, minutesAfter, noon } from '../setup/makers.ts';
import { makeSms, sendDue } from '../setup/messages.ts';
import { invalidCode, phoneVerifier } from '../setup/phone.ts';
import { startReceiver } from '../setup/receiver.ts';

/** Phone verification over REST: a code by SMS, and a verificationCode for it. */

const { clock, service, merchant, request, verify, readSms, codeFor, verificationCode, charge } =
  phoneVerifier();

const another = (code: string) => code.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10));

describe('a code', () => {
  test('of 6 digits is sent by SMS, exchanged for a verificationCode, and that for a charge of the phone', async () => {
    const sent = await request();
    expect(sent).toMatchObject({ status: 200, json: { isSuccess: true } });
    const sms = await readSms();
    expect(sms.to).toBe('+85251234567');
    expect(sms.text).toMatch(/^【Harbour Teas】您的验证码是 \d{6}，5 分钟内有效/);
    const verified = await verify(sms.code);
    expect(verified.status).toBe(200);
    expect(Object.keys(verified.json)).toEqual(['verificationCode']);
    expect(Buffer.from(verified.json.verificationCode, 'base64url')).toHaveLength(32);
    const made = await charge({ verificationCode: verified.json.verificationCode });
    expect(made).toMatchObject({
      status: 201,
      json: { status: 'pending', customer: { phone: '+85251234567' }, isDuplicate: false },
    });
    expect(made.json.customer).not.toHaveProperty('email');
  });

  test.each([
    [{}, /^【/],
    [{ locale: 'en' }, /^\d{6} is your code for Harbour Teas\./],
    [{ phone: { code: '+66', phone: '812345678' } }, /^\d{6} คือรหัส/],
    [{ phone: { code: '+65', phone: '81234567' } }, /^\d{6} is your code/],
  ])('is written in the language asked for, else that of the country: %j', async (body, text) => {
    await request(body);
    expect((await readSms()).text).toMatch(text);
  });

  test('is in the database only encrypted, and its verificationCode only hashed', async () => {
    const token = await verificationCode();
    const { prisma } = service();
    const [row] = await prisma.phoneVerification.findMany();
    const { code } = await readSms();
    expect(row!.codeHash).toMatch(/^[\w-]{43}$/);
    expect(JSON.stringify({ ...row, id: '', phone: '' })).not.toContain(token);
    const messages = JSON.stringify(await prisma.message.findMany());
    expect(messages).not.toContain(`"${code}`);
    expect(messages).not.toContain('验证码');
  });

  test('wrong five times counts no more, even when it is right the sixth time', async () => {
    const code = await codeFor();
    for (let n = 0; n < 5; n++) expect(await verify(another(code))).toMatchObject(invalidCode);
    expect(await verify(code)).toMatchObject(invalidCode);
  });

  test('right the fifth time counts', async () => {
    const code = await codeFor();
    for (let n = 0; n < 4; n++) await verify(another(code));
    expect((await verify(code)).status).toBe(200);
  });

  test('wrong under idempotency keys counts as well', async () => {
    const code = await codeFor();
    for (let n = 0; n < 5; n++)
      expect(await verify(another(code), { key: `k${n}` })).toMatchObject(invalidCode);
    expect(await verify(code, { key: 'right' })).toMatchObject(invalidCode);
  });

  test('is valid to the last moment of five minutes', async () => {
    const code = await codeFor();
    clock.set(minutesAfter(noon, 5));
    expect(await verify(code)).toMatchObject(invalidCode);
    clock.set(new Date(minutesAfter(noon, 5).getTime() - 1));
    expect((await verify(code)).status).toBe(200);
  });

  test('is used once, and is void once a new one is sent', async () => {
    const first = await codeFor();
    const second = await codeFor();
    if (first !== second) expect(await verify(first)).toMatchObject(invalidCode);
    expect((await verify(second)).status).toBe(200);
    expect(await verify(second)).toMatchObject(invalidCode);
  });

  test('counts for its number, merchant and mode alone', async () => {
    const code = await codeFor();
    const other = await makeMerchant(service());
    expect(await verify(code, { by: other })).toMatchObject(invalidCode);
    expect(await verify(code, { mode: 'live' })).toMatchObject(invalidCode);
    expect(await verify(code, { phone: { code: '+852', phone: '51234568' } })).toMatchObject(invalidCode);
    expect((await verify(code)).status).toBe(200);
  });

  test('answered again under its idempotency key is the same; another body is refused', async () => {
    const code = await codeFor({ key: 'send' });
    await request({}, { key: 'send' });
    expect(await service().prisma.message.count()).toBe(1);
    const [a, b] = [await verify(code, { key: 'v' }), await verify(code, { key: 'v' })];
    expect(b).toMatchObject({ status: 200, json: a.json, headers: { 'idempotent-replayed': 'true' } });
    expect(await verify('000000', { key: 'v' })).toMatchObject({
      status: 422,
      json: { code: 'idempotency_key_reused' },
    });
  });
});

describe('who may be sent codes', () => {
  test.each([
    ['a country without a payment method', { code: '+49', phone: '15123456789' }, '/phone/code'],
    ['a landline', { code: '+852', phone: '21234567' }, '/phone'],
    ['a premium number', { code: '+65', phone: '19001234567' }, '/phone'],
    ['no number', { code: '+852', phone: '1' }, '/phone'],
  ])('not %s', async (_, to, path) => {
    const { status, json } = await request({ phone: to });
    expect(status).toBe(400);
    expect(json).toMatchObject({ code: 'invalid_request', errors: [{ path }] });
    expect(await service().prisma.message.count()).toBe(0);
  });

  test('a country that the merchant has added', async () => {
    const german = { phone: { code: '+49', phone: '15123456789' } };
    await service().prisma.merchant.update({
      where: { id: merchant().merchant.id },
      data: { phoneCountries: ['DE'] },
    });
    expect((await request(german)).status).toBe(200);
    expect((await request({ phone: { code: '+33', phone: '612345678' } })).status).toBe(400);
  });

  test('only those with restricted access in live mode; anybody in the sandbox', async () => {
    const plain = await makeMerchant(service(), { restricted: 'none' });
    const restricted = { status: 403, json: { code: 'restricted_endpoint' } };
    expect(await request({}, { by: plain, mode: 'live' })).toMatchObject(restricted);
    expect(await verify('123456', { by: plain, mode: 'live' })).toMatchObject(restricted);
    expect((await request({}, { by: plain })).status).toBe(200);
    expect((await request({}, { mode: 'live' })).status).toBe(200);
  });

  test('a code of the sandbox stays in the mailbox; a live one goes to the gateway, and is then gone here', async () => {
    await using gateway = await startReceiver();
    await request({ locale: 'en' });
    await request({ locale: 'en' }, { mode: 'live' });
    await sendDue(service(), 'sms', { smsUrl: gateway.url }, { clock });
    expect(gateway.requests).toHaveLength(1);
    const { to, text } = JSON.parse(gateway.requests[0]!.body);
    expect(to).toBe('+85251234567');
    const live = await service().prisma.message.findFirstOrThrow({ where: { mode: 'live' } });
    expect(live).toMatchObject({ status: 'sent', contentEncrypted: null });
    const code = /\d{6}/.exec(text)![0];
    expect((await verify(code, { mode: 'live' })).status).toBe(200);
  });
});

describe('limits', () => {
  test('five codes an hour a number, counted in a sliding hour; then 429 with Retry-After', async () => {
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

  test('hold for a live number over all merchants, since it is somebody’s; in the sandbox for each merchant', async () => {
    const other = await makeMerchant(service());
    for (const mode of ['live', 'sandbox'] as const) {
      for (let n = 0; n < 5; n++) await request({}, { mode });
      expect((await request({}, { mode })).status).toBe(429);
    }
    expect((await request({}, { mode: 'live', by: other })).status).toBe(429);
    expect((await request({}, { mode: 'sandbox', by: other })).status).toBe(200);
  });

  test('a hundred codes an hour a merchant', async () => {
    const { id: merchantId } = merchant().merchant;
    for (let n = 0; n < 99; n++) {
      const to = `+8525${String(n).padStart(7, '0')}`;
      await makeSms(service(), { merchantId, mode: 'sandbox', to, now: minutesAfter(noon, -30) });
    }
    expect((await request()).status).toBe(200);
    const limited = await request({ phone: { code: '+852', phone: '51234568' } });
    expect(limited.status).toBe(429);
    expect(limited.headers['retry-after']).toBe(String(30 * 60));
    const other = await makeMerchant(service());
    expect((await request({}, { by: other })).status).toBe(200);
  });

  test('a refused request sends nothing, is not counted, and leaves the code that is out', async () => {
    let code = '';
    for (let n = 0; n < 5; n++) code = await codeFor();
    expect((await request()).status).toBe(429);
    expect(await service().prisma.message.count()).toBe(5);
    expect((await verify(code)).status).toBe(200);
  });
});

test('verifications are deleted after a day', async () => {
  await codeFor();
  clock.set(minutesAfter(noon, 60));
  await codeFor();
  expect(await prunePhoneVerifications(service(), { now: minutesAfter(noon, 24 * 60 + 30) })).toBe(1);
  expect(await service().prisma.phoneVerification.count()).toBe(1);
});
