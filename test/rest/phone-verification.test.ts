import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { NewMerchant } from '../../src/domain/merchant/create-merchant.ts';
import { prunePhoneVerifications } from '../../src/domain/phone-verification/prune-phone-verifications.ts';
import { unsealContent } from '../../src/message/sealed-content.ts';
import { callApi } from '../setup/api.ts';
import { type TestApp, type TestClock, testApp, testClock } from '../setup/app.ts';
import { makeMerchant, minutesAfter, noon } from '../setup/makers.ts';
import { sendDue } from '../setup/messages.ts';
import { startReceiver } from '../setup/receiver.ts';

/** Phone verification over REST: a code by SMS, a verificationCode for it, a charge with that. */

let served: TestApp;
let clock: TestClock;
let merchant: NewMerchant;

beforeAll(async () => {
  clock = testClock(noon);
  served = await testApp({ clock });
});

beforeEach(async () => {
  clock.set(noon);
  await served.context.service.prisma.phoneVerification.deleteMany();
  await served.context.service.prisma.message.deleteMany();
  merchant = await makeMerchant(served.context.service);
});

type Mode = 'live' | 'sandbox';
const phone = { code: '+852', phone: '5123 4567' };

function post(url: string, body: unknown, options: { mode?: Mode; by?: NewMerchant; key?: string } = {}) {
  const { mode = 'sandbox', by = merchant, key } = options;
  const headers = key === undefined ? {} : { 'idempotency-key': key };
  return callApi(served.app, { method: 'POST', url, keys: by.keys[mode], body, headers });
}

const request = (body: object = {}, options = {}) =>
  post('/customers/phone/verification', { phone, ...body }, options);
const verify = (
  code: string,
  options: { phone?: object; mode?: Mode; by?: NewMerchant; key?: string } = {},
) => post('/customers/phone/verify', { phone: options.phone ?? phone, code }, options);

/** The newest SMS of the mailbox. */
async function readSms(): Promise<{ to: string; text: string; code: string }> {
  const { prisma, secrets } = served.context.service;
  const rows = await prisma.message.findMany({ where: { kind: 'phone-code' } });
  // The test's clock stands still, and ids of one moment have no order.
  const serial = ({ dedupeKey }: { dedupeKey: string }) => Number(dedupeKey.split(' ')[1]);
  const row = rows.sort((a, b) => serial(a) - serial(b)).at(-1)!;
  const { text } = unsealContent(secrets, row.contentSealed!);
  return { to: row.recipient, text, code: /\d{6}/.exec(text)?.[0] ?? '' };
}

async function codeFor(options = {}): Promise<string> {
  expect((await request({}, options)).json).toEqual({ isSuccess: true });
  return (await readSms()).code;
}

const another = (code: string) => code.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10));

async function verificationCode(options = {}): Promise<string> {
  const { status, json } = await verify(await codeFor(options), options);
  expect(status).toBe(200);
  return json.verificationCode;
}

const terms = { merchantAmount: 128.5, merchantCurrency: 'HKD', method: 'fps' };
const charge = (body: object, options = {}) => post('/charges', { ...terms, ...body }, options);

const refused = { status: 422, json: { code: 'verification_code_invalid' } };

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

  test('is nowhere in the database but sealed, nor its verificationCode', async () => {
    const token = await verificationCode();
    const { prisma } = served.context.service;
    const [row] = await prisma.phoneVerification.findMany();
    const { code } = await readSms();
    expect(row!.codeHash).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.stringify({ ...row, id: '', phone: '' })).not.toContain(token);
    const messages = JSON.stringify(await prisma.message.findMany());
    expect(messages).not.toContain(`"${code}`);
    expect(messages).not.toContain('验证码');
  });

  test('wrong five times counts no more, even when it is right the sixth time', async () => {
    const code = await codeFor();
    for (let n = 0; n < 5; n++) expect(await verify(another(code))).toMatchObject(refused);
    expect(await verify(code)).toMatchObject(refused);
  });

  test('right the fifth time counts', async () => {
    const code = await codeFor();
    for (let n = 0; n < 4; n++) await verify(another(code));
    expect((await verify(code)).status).toBe(200);
  });

  test('wrong under idempotency keys counts as well', async () => {
    const code = await codeFor();
    for (let n = 0; n < 5; n++) expect(await verify(another(code), { key: `k${n}` })).toMatchObject(refused);
    expect(await verify(code, { key: 'right' })).toMatchObject(refused);
  });

  test('is valid to the last moment of five minutes', async () => {
    const code = await codeFor();
    clock.set(minutesAfter(noon, 5));
    expect(await verify(code)).toMatchObject(refused);
    clock.set(new Date(minutesAfter(noon, 5).getTime() - 1));
    expect((await verify(code)).status).toBe(200);
  });

  test('is used once, and is void once a new one is sent', async () => {
    const first = await codeFor();
    const second = await codeFor();
    if (first !== second) expect(await verify(first)).toMatchObject(refused);
    expect((await verify(second)).status).toBe(200);
    expect(await verify(second)).toMatchObject(refused);
  });

  test('counts for its number, merchant and mode alone', async () => {
    const code = await codeFor();
    const other = await makeMerchant(served.context.service);
    expect(await verify(code, { by: other })).toMatchObject(refused);
    expect(await verify(code, { mode: 'live' })).toMatchObject(refused);
    expect(await verify(code, { phone: { code: '+852', phone: '51234568' } })).toMatchObject(refused);
    expect((await verify(code)).status).toBe(200);
  });

  test('answered again under its idempotency key is the same; another body is refused', async () => {
    const code = await codeFor({ key: 'send' });
    await request({}, { key: 'send' });
    expect(await served.context.service.prisma.message.count()).toBe(1);
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
    expect(await served.context.service.prisma.message.count()).toBe(0);
  });

  test('a country that the merchant has added', async () => {
    const german = { phone: { code: '+49', phone: '15123456789' } };
    await served.context.service.prisma.merchant.update({
      where: { id: merchant.merchant.id },
      data: { phoneCountries: ['DE'] },
    });
    expect((await request(german)).status).toBe(200);
    expect((await request({ phone: { code: '+33', phone: '612345678' } })).status).toBe(400);
  });

  test('only those with restricted access in live mode; anybody in the sandbox', async () => {
    const plain = await makeMerchant(served.context.service, { restricted: 'none' });
    const restricted = { status: 403, json: { code: 'restricted_endpoint' } };
    expect(await request({}, { by: plain, mode: 'live' })).toMatchObject(restricted);
    expect(await verify('123456', { by: plain, mode: 'live' })).toMatchObject(restricted);
    expect((await request({}, { by: plain })).status).toBe(200);
    expect((await request({}, { mode: 'live' })).status).toBe(200);
  });

  test('a code of the sandbox stays in the mailbox; a live one goes to the gateway, and is then gone here', async () => {
    await using gateway = await startReceiver();
    const { service } = served.context;
    await request({ locale: 'en' });
    await request({ locale: 'en' }, { mode: 'live' });
    await sendDue(service, 'sms', { smsUrl: gateway.url }, { clock });
    expect(gateway.requests).toHaveLength(1);
    const { to, text } = JSON.parse(gateway.requests[0]!.body);
    expect(to).toBe('+85251234567');
    const live = await service.prisma.message.findFirstOrThrow({ where: { mode: 'live' } });
    expect(live).toMatchObject({ status: 'sent', contentSealed: null });
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
    const other = await makeMerchant(served.context.service);
    for (const mode of ['live', 'sandbox'] as const) {
      for (let n = 0; n < 5; n++) await request({}, { mode });
      expect((await request({}, { mode })).status).toBe(429);
    }
    expect((await request({}, { mode: 'live', by: other })).status).toBe(429);
    expect((await request({}, { mode: 'sandbox', by: other })).status).toBe(200);
  });

  test('a hundred codes an hour a merchant', async () => {
    const { prisma } = served.context.service;
    await prisma.phoneVerification.createMany({
      data: Array.from({ length: 99 }, (_, n) => ({
        merchantId: merchant.merchant.id,
        mode: 'sandbox' as const,
        phone: `+8525${String(n).padStart(7, '0')}`,
        codeHash: 'x',
        expiresAt: noon,
        createdAt: minutesAfter(noon, -30),
      })),
    });
    expect((await request()).status).toBe(200);
    const limited = await request({ phone: { code: '+852', phone: '51234568' } });
    expect(limited.status).toBe(429);
    expect(limited.headers['retry-after']).toBe(String(30 * 60));
    const other = await makeMerchant(served.context.service);
    expect((await request({}, { by: other })).status).toBe(200);
  });

  test('a refused request sends nothing, is not counted, and leaves the code that is out', async () => {
    let code = '';
    for (let n = 0; n < 5; n++) code = await codeFor();
    expect((await request()).status).toBe(429);
    expect(await served.context.service.prisma.message.count()).toBe(5);
    expect((await verify(code)).status).toBe(200);
  });
});

describe('a verificationCode', () => {
  test('is good for one charge, also beside an e-mail', async () => {
    const code = await verificationCode();
    const made = await charge({ verificationCode: code, email: 'ada@example.com' });
    expect(made).toMatchObject({
      status: 201,
      json: { customer: { email: 'ada@example.com', phone: '+85251234567' } },
    });
    expect(await charge({ verificationCode: code, email: 'ada@example.com' })).toMatchObject(refused);
  });

  test('finds the customer of the phone again', async () => {
    const [first, second] = [await verificationCode(), await verificationCode()];
    const a = await charge({ verificationCode: first });
    const b = await charge({ verificationCode: second, merchantAmount: 10 });
    expect(b.json.customer).toEqual(a.json.customer);
  });

  test('is used up by a duplicate too', async () => {
    const [first, second] = [await verificationCode(), await verificationCode()];
    const a = await charge({ verificationCode: first });
    const b = await charge({ verificationCode: second });
    expect(b).toMatchObject({ status: 200, json: { id: a.json.id, isDuplicate: true } });
    expect(await charge({ verificationCode: second, merchantAmount: 7 })).toMatchObject(refused);
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
    const other = await makeMerchant(served.context.service);
    expect(await charge({ verificationCode: code }, { by: other })).toMatchObject(refused);
    expect(await charge({ verificationCode: code }, { mode: 'live' })).toMatchObject(refused);
    clock.set(minutesAfter(noon, 5));
    expect(await charge({ verificationCode: code })).toMatchObject(refused);
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
      expect(await charge({ verificationCode })).toMatchObject(refused);
    expect(await charge({})).toMatchObject({ status: 400, json: { code: 'invalid_request' } });
  });
});

test('verifications are deleted after a day', async () => {
  const { service } = served.context;
  await codeFor();
  clock.set(minutesAfter(noon, 60));
  await codeFor();
  expect(await prunePhoneVerifications(service, { now: minutesAfter(noon, 24 * 60 + 30) })).toBe(1);
  expect(await service.prisma.phoneVerification.count()).toBe(1);
});
