import { beforeAll, describe, expect, test } from 'vitest';
import { buildExports } from '../../../src/domain/payouts/export/build-exports.ts';
import { type CreateExportInput, createExport } from '../../../src/domain/payouts/export/create-export.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { toOwnerCaller } from '../../setup/callers.ts';
import { cleanupAfterFile } from '../../setup/cleanup.ts';
import { doneOrCode } from '../../setup/errors.ts';
import { createAndReadExport } from '../../setup/exports.ts';
import { checkPain001 } from '../../setup/pain-001.ts';
import { seedPayableRefund } from '../../setup/payouts.ts';
import { minutesAfter, noon, seedMerchant } from '../../setup/seed.ts';
import { setupService } from '../../setup/service.ts';

const onCleanup = cleanupAfterFile();

let service: Service;

beforeAll(async () => {
  service = await setupService(onCleanup);
});

const payouts = (more: object = {}): CreateExportInput => ({ kind: 'payouts', format: 'csv', ...more });

describe.each(['03', '09'] as const)('pain.001.001.%s', (version) => {
  const format = `pain.001.001.${version}` as const;

  test('has the elements of the standard in their order, and every payment once', async () => {
    const merchant = await seedMerchant(service, { name: 'Tea & <Co>' });
    const one = await seedPayableRefund(service, merchant, {
      details: { holder: '陳大文 & Söhne "Ltd"\u0007' },
    });
    const two = await seedPayableRefund(service, merchant, {
      amount: 128.5,
      details: { holder: 'A'.repeat(140) },
      now: minutesAfter(noon, 1),
    });
    const { text, fileName } = await createAndReadExport(service, merchant, payouts({ format }));
    expect(fileName).toBe(`payouts-2026-11-17.${format}.xml`);
    const file = checkPain001(text, version);
    expect(file).toMatchObject({ initiator: 'Tea & <Co>', count: '2', sum: '149' });
    const account = await service.prisma.receivingAccount.findFirstOrThrow({
      where: { charges: { some: { id: one.chargeId } } },
    });
    expect(file.groups).toMatchObject([
      { debtor: account.holder, account: account.account, currency: 'HKD', day: '2026-11-17', count: '2' },
    ]);
    expect(file.groups[0]?.payments).toEqual([
      {
        endToEndId: one.payoutReference,
        remittance: one.payoutReference,
        amount: '20.50',
        currency: 'HKD',
        creditor: '陳大文 & Söhne "Ltd"',
        country: 'HK',
        account: '123456789',
        system: 'HKNCC',
        member: '004',
      },
      expect.objectContaining({
        endToEndId: two.payoutReference,
        amount: '128.50',
        creditor: 'A'.repeat(140),
      }),
    ]);
  });
});

describe('a payment file', () => {
  test('is paid from another account of the currency only when that is asked for', async () => {
    const merchant = await seedMerchant(service);
    const refund = await seedPayableRefund(service, merchant);
    const owner = { merchantId: merchant.merchant.id, mode: 'live' as const };
    const bank = await service.prisma.receivingAccount.findFirstOrThrow({
      where: { ...owner, method: 'hk-bank-transfer' },
    });
    const baht = await service.prisma.receivingAccount.findFirstOrThrow({
      where: { ...owner, currency: 'THB' },
    });
    const caller = toOwnerCaller(merchant);
    const refusal = (more: object) =>
      doneOrCode(createExport(service, { caller, input: payouts(more), now: noon }));
    expect(await refusal({ payingAccountId: bank.id })).toBe('invalid_request');
    const named = { refundIds: [refund.id], payingAccountId: bank.id };
    expect(await refusal({ ...named, payingAccountId: baht.id })).toBe('invalid_request');
    expect(await refusal({ ...named, payingAccountId: 'acc_none' })).toBe('receiving_account_not_found');
    const { text } = await createAndReadExport(
      service,
      merchant,
      payouts({ ...named, format: 'pain.001.001.09' }),
    );
    expect(checkPain001(text, '09').groups).toMatchObject([{ account: bank.account, debtor: bank.holder }]);
  });

  test('from an account that no payment file can carry says so, and its refunds are to be exported still', async () => {
    const merchant = await seedMerchant(service);
    const refund = await seedPayableRefund(service, merchant);
    await service.prisma.receivingAccount.updateMany({
      where: { merchantId: merchant.merchant.id, method: 'fps' },
      data: { account: `${'long'.repeat(10)}@wallet` },
    });
    const caller = toOwnerCaller(merchant);
    const input = payouts({ format: 'pain.001.001.03' });
    const { id } = await createExport(service, { caller, input, now: noon });
    await buildExports(service, { clock: { now: () => minutesAfter(noon, 1) } });
    const row = await service.prisma.export.findUniqueOrThrow({ where: { id } });
    expect(row).toMatchObject({ status: 'failed', errorReason: expect.stringContaining('CSV') });
    const after = await service.prisma.refund.findUniqueOrThrow({ where: { id: refund.id } });
    expect(after.payoutExportedAt).toBeNull();
  });
});
