import { beforeAll, expect, test } from 'vitest';
import type { NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import { createCharge } from '../../../src/domain/payments/charge/create-charge.ts';
import { requestPhoneVerification } from '../../../src/domain/payments/phone-verification/request-phone-verification.ts';
import { verifyPhone } from '../../../src/domain/payments/phone-verification/verify-phone.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { cleanupAfterFile } from '../../setup/cleanup.ts';
import { count } from '../../setup/counts.ts';
import { getErrorCode } from '../../setup/errors.ts';
import { readContent } from '../../setup/messages.ts';
import { noon, seedMerchant } from '../../setup/seed.ts';
import { setupService } from '../../setup/service.ts';

const onCleanup = cleanupAfterFile();

/** Fifty at once: what is counted is counted, what is single is had by one. */

const parallel = 50;
const rounds = count(2, 20);
const phone = { code: '+852', phone: '51234567' };
const mode = 'sandbox';

let service: Service;
let merchant: NewMerchant;

beforeAll(async () => {
  service = await setupService(onCleanup);
});

async function inRounds(round: () => Promise<void>): Promise<void> {
  for (let n = 0; n < rounds; n++) {
    merchant = await seedMerchant(service);
    await round();
  }
}

/** What came of each: its value, or the code of its refusal. */
async function all<T>(work: (n: number) => Promise<T>): Promise<(T | string)[]> {
  return Promise.all(Array.from({ length: parallel }, (_, n) => work(n).catch(getErrorCode)));
}

const request = () =>
  requestPhoneVerification(service, { merchant: merchant.merchant, mode, input: { phone }, now: noon });
const verify = (code: string) =>
  verifyPhone(service, { merchantId: merchant.merchant.id, mode, input: { phone, code }, now: noon });

async function sentCodes(): Promise<string[]> {
  const where = { merchantId: merchant.merchant.id };
  const rows = await service.prisma.message.findMany({ where });
  const contents = await Promise.all(rows.map((row) => readContent(service, row)));
  return contents.map(({ text }) => /\d{6}/.exec(text)![0]);
}

const wrongCode = (right: string, n: number) => String((Number(right) + 1 + n) % 1_000_000).padStart(6, '0');

test('of fifty requests for one number five are sent, and one code counts', () =>
  inRounds(async () => {
    const results = await all(request);
    expect(results.filter((result) => result === 'rate_limited')).toHaveLength(parallel - 5);
    const codes = await sentCodes();
    expect(codes).toHaveLength(5);
    const open = { merchantId: merchant.merchant.id, status: 'sent' } as const;
    expect(await service.prisma.phoneVerification.count({ where: open })).toBe(1);
  }));

test('of fifty that enter the right code one is given a verificationCode', () =>
  inRounds(async () => {
    await request();
    const [code = ''] = await sentCodes();
    const results = await all(() => verify(code));
    expect(results.filter((result) => typeof result === 'object')).toHaveLength(1);
    expect(results.filter((result) => result === 'verification_code_invalid')).toHaveLength(parallel - 1);
  }));

test('fifty wrong guesses at once use up five tries and no more are looked at', () =>
  inRounds(async () => {
    await request();
    const [code = ''] = await sentCodes();
    const results = await all((n) => verify(wrongCode(code, n)));
    expect(new Set(results)).toEqual(new Set(['verification_code_invalid']));
    const row = await service.prisma.phoneVerification.findFirstOrThrow({
      where: { merchantId: merchant.merchant.id },
    });
    expect(row).toMatchObject({ attemptCount: 5, status: 'sent' });
    await expect(verify(code)).rejects.toMatchObject({ code: 'verification_code_invalid' });
  }));

test('of fifty charges with one verificationCode one is made', () =>
  inRounds(async () => {
    await request();
    const [code = ''] = await sentCodes();
    const { verificationCode } = await verify(code);
    const input = { verificationCode, merchantCurrency: 'HKD', method: 'fps' };
    // Half of them alike, half of them each another amount.
    const results = await all((n) =>
      createCharge(service, {
        merchant: merchant.merchant,
        mode,
        actor: 'key:test',
        input: { ...input, merchantAmount: n % 2 === 0 ? 10 : 10 + n },
        now: noon,
      }),
    );
    const made = results.filter((result) => typeof result === 'object');
    expect(made).toMatchObject([{ isDuplicate: false }]);
    expect(results.filter((result) => result === 'verification_code_invalid')).toHaveLength(parallel - 1);
    const where = { merchantId: merchant.merchant.id };
    expect(await service.prisma.charge.count({ where })).toBe(1);
    const row = await service.prisma.phoneVerification.findFirstOrThrow({ where });
    expect(row).toMatchObject({ status: 'used', chargeId: made[0]!.charge.id });
  }));
