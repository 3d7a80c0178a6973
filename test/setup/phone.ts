import { beforeAll, beforeEach, expect } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { hashCode } from '../../src/domain/payments/phone-verification/verify-phone.ts';
import { callApi } from './api.ts';
import { type TestApp, testApp } from './app.ts';
import { type TestClock, testClock } from './clock.ts';
import { makeMerchant, noon } from './makers.ts';
import { readContent } from './messages.ts';

type Options = { mode?: 'live' | 'sandbox'; by?: NewMerchant; key?: string };

/** What every phone verification that cannot count answers. */
export const invalidCode = { status: 422, json: { code: 'verification_code_invalid' } };

/** An application whose clock stands at noon, with a new merchant for each test who verifies phones over REST. */
export function phoneVerifier() {
  const phone = { code: '+852', phone: '5123 4567' };
  let served: TestApp;
  let merchant: NewMerchant;
  const clock: TestClock = testClock(noon);

  beforeAll(async () => {
    served = await testApp({ clock });
  });

  beforeEach(async () => {
    clock.set(noon);
    await served.context.service.prisma.phoneVerification.deleteMany();
    await served.context.service.prisma.message.deleteMany();
    merchant = await makeMerchant(served.context.service);
  });

  function post(url: string, body: unknown, { mode = 'sandbox', by = merchant, key }: Options = {}) {
    const headers = key === undefined ? {} : { 'idempotency-key': key };
    return callApi(served.app, { method: 'POST', url, keys: by.keys[mode], body, headers });
  }

  const request = (body: object = {}, options: Options = {}) =>
    post('/customers/phone/verification', { phone, ...body }, options);
  const verify = (code: string, options: Options & { phone?: object } = {}) =>
    post('/customers/phone/verify', { phone: options.phone ?? phone, code }, options);

  /** The SMS of the newest verification: the clock stands still, and ids of one moment have no order. */
  async function readSms(): Promise<{ to: string; text: string; code: string }> {
    const { prisma, secrets } = served.context.service;
    const newest = await prisma.phoneVerification.findFirstOrThrow({ orderBy: { id: 'desc' } });
    const { phone: to } = newest;
    const rows = await prisma.message.findMany({ where: { kind: 'phone-code', recipient: to } });
    const contents = await Promise.all(rows.map((row) => readContent({ secrets }, row)));
    const texts = contents.map(({ text }) => text);
    const codeOf = (text: string) => /\d{6}/.exec(text)?.[0] ?? '';
    const text = texts.find((one) => hashCode(secrets, newest, codeOf(one)) === newest.codeHash)!;
    return { to, text, code: codeOf(text) };
  }

  async function codeFor(options: Options = {}): Promise<string> {
    expect((await request({}, options)).json).toEqual({ isSuccess: true });
    return (await readSms()).code;
  }

  return {
    clock,
    app: () => served.app,
    service: () => served.context.service,
    merchant: () => merchant,
    request,
    verify,
    readSms,
    codeFor,
    async verificationCode(options: Options = {}): Promise<string> {
      const { status, json } = await verify(await codeFor(options), options);
      expect(status).toBe(200);
      return json.verificationCode;
    },
    charge: (body: object, options: Options = {}) =>
      post('/charges', { merchantAmount: 128.5, merchantCurrency: 'HKD', method: 'fps', ...body }, options),
  };
}
