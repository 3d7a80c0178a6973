import { describe, expect } from 'vitest';
import type { NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import { createCharge } from '../../../src/domain/payments/charge/create-charge.ts';
import { requestPhoneVerification } from '../../../src/domain/payments/phone-verification/request-phone-verification.ts';
import { verifyPhone } from '../../../src/domain/payments/phone-verification/verify-phone.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { count } from '../../setup/counts.ts';
import { getErrorCode } from '../../setup/errors.ts';
import { serviceTest as test } from '../../setup/fixtures.ts';
import { readContent } from '../../setup/messages.ts';
import { noon, seedMerchant } from '../../setup/seed.ts';

const parallel = 50;
const rounds = count(2, 20);
const phone = { code: '+852', phone: '51234567' };
const mode = 'sandbox';

/** Repeats a race, each time with a new merchant. */
async function repeat(service: Service, race: (merchant: NewMerchant) => Promise<void>): Promise<void> {
  for (let n = 0; n < rounds; n++) await race(await seedMerchant(service));
}

/** Returns the value or the error code of each. */
async function runParallel<T>(work: (n: number) => Promise<T>): Promise<(T | string)[]> {
  return Promise.all(Array.from({ length: parallel }, (_, n) => work(n).catch(getErrorCode)));
}

const request = (service: Service, merchant: NewMerchant) =>
  requestPhoneVerification(service, { merchant: merchant.merchant, mode, input: { phone }, now: noon });
const verify = (service: Service, merchant: NewMerchant, code: string) =>
  verifyPhone(service, { merchantId: merchant.merchant.id, mode, input: { phone, code }, now: noon });

async function readSentCodes(service: Service, merchant: NewMerchant): Promise<string[]> {
  const where = { merchantId: merchant.merchant.id };
  const rows = await service.prisma.message.findMany({ where });
  const contents = await Promise.all(rows.map((row) => readContent(service, row)));
  return contents.map(({ text }) => /\d{6}/.exec(text)![0]);
}

const getWrongCode = (right: string, n: number) =>
  String((Number(right) + 1 + n) % 1_000_000).padStart(6, '0');

describe('Phone verification', () => {
  test('is sent five times for fifty concurrent requests, and one code is valid', async ({ service }) => {
    await repeat(service, async (merchant) => {
      const results = await runParallel(() => request(service, merchant));
      expect(results.filter((result) => result === 'rate_limited')).toHaveLength(parallel - 5);
      const codes = await readSentCodes(service, merchant);
      expect(codes).toHaveLength(5);
      const open = { merchantId: merchant.merchant.id, status: 'sent' } as const;
      expect(await service.prisma.phoneVerification.count({ where: open })).toBe(1);
    });
  });

  test('is confirmed by one of fifty concurrent requests with the right code', async ({ service }) => {
    await repeat(service, async (merchant) => {
      await request(service, merchant);
      const [code = ''] = await readSentCodes(service, merchant);
      const results = await runParallel(() => verify(service, merchant, code));
      expect(results.filter((result) => typeof result === 'object')).toHaveLength(1);
      expect(results.filter((result) => result === 'verification_code_invalid')).toHaveLength(parallel - 1);
    });
  });

  test('is locked after five of fifty concurrent wrong codes', async ({ service }) => {
    await repeat(service, async (merchant) => {
      await request(service, merchant);
      const [code = ''] = await readSentCodes(service, merchant);
      const results = await runParallel((n) => verify(service, merchant, getWrongCode(code, n)));
      expect(new Set(results)).toEqual(new Set(['verification_code_invalid']));
      const row = await service.prisma.phoneVerification.findFirstOrThrow({
        where: { merchantId: merchant.merchant.id },
      });
      expect(row).toMatchObject({ attemptCount: 5, status: 'sent' });
      await expect(verify(service, merchant, code)).rejects.toMatchObject({
        code: 'verification_code_invalid',
      });
    });
  });

  test('is used by one of fifty concurrent charges with its verificationCode', async ({ service }) => {
    await repeat(service, async (merchant) => {
      await request(service, merchant);
      const [code = ''] = await readSentCodes(service, merchant);
      const { verificationCode } = await verify(service, merchant, code);
      const input = { verificationCode, merchantCurrency: 'HKD', method: 'fps' };
      // Half of the charges are equal; the others have different amounts.
      const results = await runParallel((n) =>
        createCharge(service, {
          merchant: merchant.merchant,
          mode,
          actor: 'key:test',
          input: { ...input, merchantAmount: n % 2 === 0 ? 10 : 10 + n },
          now: noon,
        }),
      );
      const created = results.filter((result) => typeof result === 'object');
      expect(created).toMatchObject([{ isReused: false }]);
      expect(results.filter((result) => result === 'verification_code_invalid')).toHaveLength(parallel - 1);
      const where = { merchantId: merchant.merchant.id };
      expect(await service.prisma.charge.count({ where })).toBe(1);
      const row = await service.prisma.phoneVerification.findFirstOrThrow({ where });
      expect(row).toMatchObject({ status: 'used', chargeId: created[0]!.charge.id });
    });
  });
});
