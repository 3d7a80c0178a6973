import { expect } from 'vitest';
import { createRefund } from '../../../src/domain/payments/refund/create-refund.ts';
import { getRefundDetailsUrl } from '../../../src/domain/payments/refund/refund-details-page.ts';
import { reopenRefund } from '../../../src/domain/payments/refund/reopen-refund.ts';
import { toPath } from '../../../src/pages/to-path.ts';
import { appTest as test } from '../../setup/app-fixtures.ts';
import { createAndReadExport } from '../../setup/exports.ts';
import { expectInvariants } from '../../setup/invariants.ts';
import { createPageVisitor } from '../../setup/page-visitor.ts';
import { payOut, seedPayableRefund } from '../../setup/payouts.ts';
import { noon, seedCharge } from '../../setup/seed.ts';
import { payCharge } from '../../setup/transfers.ts';

test('a customer enters an alias instead of an account, and only CSV files contain it', async ({
  app,
  service,
  merchant,
}) => {
  const owner = { merchantId: merchant.merchant.id, mode: 'live', actor: 'user:test', now: noon } as const;
  const charge = await seedCharge(service, merchant);
  await payCharge(service, merchant, charge, { now: noon });
  const created = await createRefund(service, {
    ...owner,
    input: { chargeId: charge.id, customerAmount: 20.5 },
  });
  const path = toPath(getRefundDetailsUrl(service, created.refund)!);
  const visitor = createPageVisitor(app.app);
  // The customer paid by FPS.
  const form = await visitor.get(path);
  expect(form.main).toContain('FPS 轉數快 ID');
  expect(form.main).toContain('Use a bank account instead');
  expect(form.main).not.toContain('Bank code');
  const accountForm = await visitor.get(`${path}?alias=0`);
  expect(accountForm.main).toContain('Bank code');
  expect(accountForm.main).toContain('Use FPS 轉數快 instead');

  const post = (account: string) => visitor.post(path, { scheme: 'fps', account, holder: 'Ada Wong' });
  const rejected = await post('12');
  expect(rejected.status).toBe(400);
  expect(rejected.main).toContain('This ID doesn’t look right. Please check it.');
  expect(rejected.text).toContain('value="12"');
  expect((await post('+852 5123 4567')).status).toBe(303);
  const read = () => service.prisma.refund.findUniqueOrThrow({ where: { id: created.refund.id } });
  const refund = await read();
  expect(refund).toMatchObject({ status: 'processing', payoutScheme: 'fps' });

  const other = await seedPayableRefund(service, merchant);
  const create = (input: { format: 'csv' | 'pain.001.001.09'; refundIds?: string[] }) =>
    createAndReadExport(service, merchant, { kind: 'payouts', ...input });
  await expect(create({ format: 'pain.001.001.09', refundIds: [refund.id, other.id] })).rejects.toThrow(
    /alias/,
  );
  const file = await create({ format: 'pain.001.001.09' });
  expect(file.text).toContain(other.payoutReference);
  expect(file.text).not.toContain(refund.payoutReference);
  const csv = await create({ format: 'csv' });
  const [header, line] = csv.text.trim().split(/\r?\n/);
  expect(header!.endsWith('scheme')).toBe(true);
  expect(line).toContain(`${refund.payoutReference},20.50,HKD,Ada Wong,,'+85251234567,HK`);
  expect(line!.endsWith('fps')).toBe(true);

  // New details replace the alias.
  await reopenRefund(service, { ...owner, id: refund.id, reason: 'The number is not registered' });
  expect(await read()).toMatchObject({ payoutScheme: null, detailsEncrypted: null });
  await visitor.post(toPath(getRefundDetailsUrl(service, await read())!), {
    bank: '004',
    account: '123456789',
    holder: 'Ada Wong',
  });
  const reopened = await read();
  expect(reopened).toMatchObject({ status: 'processing', payoutScheme: null });
  await payOut(service, merchant, reopened);
  expect(await read()).toMatchObject({ status: 'completed' });
  await expectInvariants(service);
});
