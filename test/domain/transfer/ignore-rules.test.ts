import { expect } from 'vitest';
import { assignTransfer } from '../../../src/domain/money-in/transfer/review/assign-transfer.ts';
import {
  createIgnoreRule,
  deleteIgnoreRule,
  previewIgnoreRule,
} from '../../../src/domain/money-in/transfer/review/ignore-rules.ts';
import { unassignTransfer } from '../../../src/domain/money-in/transfer/review/unassign-transfer.ts';
import { serviceTest as test } from '../../setup/fixtures.ts';
import { expectInvariants } from '../../setup/invariants.ts';
import { noon, seedCharge } from '../../setup/seed.ts';
import { payCharge } from '../../setup/transfers.ts';

const audit = { actor: 'user:usr_1', now: noon };

test('a rule ignores later transfers with its text, and only those that name no charge', async ({
  service,
  merchant,
}) => {
  const scope = { merchantId: merchant.merchant.id, mode: 'live' } as const;
  const charge = await seedCharge(service, merchant);
  const { receivingAccountId } = charge;
  const pay = (reference: string, minor: bigint) =>
    payCharge(service, merchant, charge, { reference, minor, now: noon });
  const before = await pay('interest credit', 1_234n);
  const preview = (text: string) => previewIgnoreRule(service, { ...scope, receivingAccountId, text });
  expect(await preview('Interest')).toEqual({
    ids: [before.transferId],
    unmatchedIds: [before.transferId],
    assignedCount: 0,
  });
  expect(await preview('dividend')).toMatchObject({ ids: [] });
  await expect(preview('in')).rejects.toThrow(/at least 3 characters/);

  const input = { receivingAccountId, text: ' INTEREST ', dismissUnmatched: true };
  const rule = { ...scope, input, audit, now: noon };
  const { account, dismissedCount } = await createIgnoreRule(service, rule);
  expect([account.ignoredTexts, dismissedCount]).toEqual([['INTEREST'], 1]);
  await expect(createIgnoreRule(service, rule)).rejects.toThrow(/already ignored/);

  const ignored = await pay('Interest Credit 2', 500n);
  expect(ignored).toMatchObject({ status: 'dismissed' });
  const where = { objectId: ignored.transferId!, type: 'transfer_exception' };
  expect(await service.prisma.event.count({ where })).toBe(0);
  const paid = await pay(`${charge.paymentReference} INTEREST`, charge.customerAmount);
  expect(paid).toMatchObject({ status: 'matched', chargeId: charge.id });
  await expectInvariants(service);

  const reopened = await unassignTransfer(service, { ...rule, input: { transferId: ignored.transferId! } });
  expect(reopened).toMatchObject({ status: 'exception', reason: 'unassigned' });
  await deleteIgnoreRule(service, { ...rule, input: { receivingAccountId, text: 'INTEREST' } });
  expect(await pay('INTEREST 3', 600n)).toMatchObject({ status: 'exception' });
  await expectInvariants(service);
});

test('the preview counts the payments of customers that a rule would have hidden', async ({
  service,
  merchant,
}) => {
  const scope = { merchantId: merchant.merchant.id, mode: 'live' } as const;
  const charge = await seedCharge(service, merchant);
  const { receivingAccountId } = charge;
  const { transferId } = await payCharge(service, merchant, charge, { reference: 'LAU shop', now: noon });
  const assignment = { transferId: transferId!, parts: [{ chargeId: charge.id }] };
  await assignTransfer(service, {
    ...{ merchant: merchant.merchant, mode: 'live', assignment, audit, now: noon },
  });
  await payCharge(service, merchant, charge, { reference: `${charge.paymentReference} shop`, now: noon });
  const preview = await previewIgnoreRule(service, { ...scope, receivingAccountId, text: 'shop' });
  expect(preview).toEqual({ ids: [transferId], unmatchedIds: [], assignedCount: 1 });
});
