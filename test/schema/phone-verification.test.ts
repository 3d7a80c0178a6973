import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { createFakeClock, type FakeClock } from '../setup/fake-clock.ts';
import { type GraphqlApp, type Json, mutate, setupGraphqlApp } from '../setup/graphql.ts';
import { minutesAfter, noon, seedMerchant } from '../setup/seed.ts';

const onCleanup = cleanupAfterFile();

/** Phone verification over GraphQL, with the code read from the dev mailbox as an integrator's tests would. */

let app: GraphqlApp;
let clock: FakeClock;

beforeAll(async () => {
  clock = createFakeClock(noon);
  app = await setupGraphqlApp(onCleanup, { clock });
});

beforeEach(async () => {
  clock.set(noon);
  await app.context.service.prisma.phoneVerification.deleteMany();
  await app.context.service.prisma.message.deleteMany();
});

const phone = { code: '+66', phone: '812345678' };
const keys = () => app.merchant.keys.sandbox;

const change = (name: string, input: object, fields: string, as = keys()): Promise<Json> =>
  mutate(app, name, input, fields, as);

const send = (input: object = {}, as = keys()) =>
  change('requestPhoneVerification', { phone, ...input }, 'isSuccess', as);
const verify = (code: string, as = keys()) => change('verifyPhone', { phone, code }, 'verificationCode', as);
const charge = (verificationCode: string) =>
  change(
    'createCharge',
    { verificationCode, merchantAmount: '10', merchantCurrency: 'HKD', method: 'fps' },
    'charge { id customer { phone email } } isDuplicate',
  );

async function readCode(): Promise<string> {
  const { data } = await app.ask('{ outboundMessages(first: 1) { nodes { kind channel recipient text } } }', {
    as: keys(),
  });
  const [message] = data.outboundMessages.nodes;
  expect(message).toMatchObject({ kind: 'phone-code', channel: 'sms', recipient: '+66812345678' });
  return /\d{6}/.exec(message.text)![0];
}

describe('phone verification over GraphQL', () => {
  test('goes its whole way to a charge', async () => {
    expect(await send({ locale: 'en' })).toEqual({
      __typename: 'RequestPhoneVerificationSuccess',
      isSuccess: true,
    });
    const { verificationCode } = await verify(await readCode());
    const made = await charge(verificationCode);
    expect(made).toMatchObject({
      isDuplicate: false,
      charge: { customer: { phone: '+66812345678', email: null } },
    });
    expect(await charge(verificationCode)).toMatchObject({
      __typename: 'UnprocessableError',
      code: 'verification_code_invalid',
    });
  });

  test('refuses wrong codes, far countries and too many requests with their error types', async () => {
    await send();
    expect(await verify('not it')).toMatchObject({
      __typename: 'UnprocessableError',
      code: 'verification_code_invalid',
    });
    expect(await send({ phone: { code: '+49', phone: '15123456789' } })).toMatchObject({
      __typename: 'InvalidRequestError',
      errors: [{ path: '/phone/code' }],
    });
    for (let n = 0; n < 4; n++) await send();
    clock.set(minutesAfter(noon, 20));
    expect(await send()).toMatchObject({
      __typename: 'RateLimitedError',
      code: 'rate_limited',
      retryAfterSeconds: 40 * 60,
    });
  });

  test('is restricted with live keys', async () => {
    const plain = await seedMerchant(app.context.service, { restricted: 'none' });
    const refused = { __typename: 'PermissionError', code: 'restricted_endpoint' };
    expect(await send({}, plain.keys.live)).toMatchObject(refused);
    expect(await verify('123456', plain.keys.live)).toMatchObject(refused);
    expect(await send({}, plain.keys.sandbox)).toMatchObject({ isSuccess: true });
  });

  test('goes by the machine’s time where the sandbox’s test clock is ahead', async () => {
    await app.context.service.prisma.merchant.update({
      where: { id: app.merchant.merchant.id },
      data: { testClockOffsetMs: 86_400_000n },
    });
    await send();
    const { verificationCode } = await verify(await readCode());
    expect(await charge(verificationCode)).toMatchObject({ isDuplicate: false });
    await app.context.service.prisma.merchant.update({
      where: { id: app.merchant.merchant.id },
      data: { testClockOffsetMs: 0n },
    });
  });
});
