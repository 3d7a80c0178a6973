import { expect } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { hashCode } from '../../src/domain/payments/phone-verification/verify-phone.ts';
import { callApi } from './api.ts';
import type { TestApp } from './app.ts';
import { appTest } from './app-fixtures.ts';
import { readContent } from './messages.ts';

type VerificationOptions = { mode?: 'live' | 'sandbox'; by?: NewMerchant; key?: string };

const phone = { code: '+852', phone: '5123 4567' };

/** The messages of earlier tests are deleted, so that each test has the full limits of a phone. */
export const phoneVerificationTest = appTest.extend(
  'phoneVerification',
  async ({ app, service, merchant }) => {
    await service.prisma.phoneVerification.deleteMany();
    await service.prisma.message.deleteMany();
    return createPhoneVerification(app, merchant);
  },
);

function createPhoneVerification({ app, context: { service } }: TestApp, merchant: NewMerchant) {
  function post(
    url: string,
    body: unknown,
    { mode = 'sandbox', by = merchant, key }: VerificationOptions = {},
  ) {
    const headers = key === undefined ? {} : { 'idempotency-key': key };
    return callApi(app, { method: 'POST', url, keys: by.keys[mode], body, headers });
  }

  const request = (body: object = {}, options: VerificationOptions = {}) =>
    post('/customers/phone/verification', { phone, ...body }, options);
  const verify = (code: string, options: VerificationOptions & { phone?: object } = {}) =>
    post('/customers/phone/verify', { phone: options.phone ?? phone, code }, options);

  /**
   * Returns the SMS of the newest verification. It is found by the code's hash, because IDs of one moment have no order
   * and the clock does not advance.
   */
  async function readSms(): Promise<{ to: string; text: string; code: string }> {
    const { prisma, secrets } = service;
    const newest = await prisma.phoneVerification.findFirstOrThrow({ orderBy: { id: 'desc' } });
    const { phone: to } = newest;
    const rows = await prisma.message.findMany({ where: { kind: 'phone-code', recipient: to } });
    const contents = await Promise.all(rows.map((row) => readContent({ secrets }, row)));
    const texts = contents.map(({ text }) => text);
    const readCode = (text: string) => /\d{6}/.exec(text)?.[0] ?? '';
    const text = texts.find(
      (candidate) => hashCode(secrets, newest, readCode(candidate)) === newest.codeHash,
    )!;
    return { to, text, code: readCode(text) };
  }

  async function requestCode(options: VerificationOptions = {}): Promise<string> {
    expect((await request({}, options)).json).toEqual({ isSuccess: true });
    return (await readSms()).code;
  }

  return {
    request,
    verify,
    readSms,
    requestCode,
    async verificationCode(options: VerificationOptions = {}): Promise<string> {
      const { status, json } = await verify(await requestCode(options), options);
      expect(status).toBe(200);
      return json.verificationCode;
    },
    charge: (body: object, options: VerificationOptions = {}) =>
      post('/charges', { merchantAmount: 128.5, merchantCurrency: 'HKD', method: 'fps', ...body }, options),
  };
}
