import { expect } from 'vitest';
import type { Charge } from '../../../prisma/client/client.ts';
import { reconcile } from '../../../src/domain/money-in/reconciliation/reconcile.ts';
import { dismissTransfers } from '../../../src/domain/money-in/transfer/review/dismiss-transfers.ts';
import { unassignTransfer } from '../../../src/domain/money-in/transfer/review/unassign-transfer.ts';
import { updateTransfers } from '../../../src/domain/money-in/transfer/review/update-transfers.ts';
import { toStaleReads } from '../../../src/kit/stale-reads.ts';
import { serviceTest as test } from '../../setup/fixtures.ts';
import { expectInvariants } from '../../setup/invariants.ts';
import { noon, seedCharge } from '../../setup/seed.ts';
import { payCharge, reverseOne, seedUnmatchedTransfer, transferInput } from '../../setup/transfers.ts';

const audit = { actor: 'user:usr_1', now: noon };

test('dismissed transfers stay on the account, outside of returned and matched money', async ({
  service,
  merchant,
}) => {
  const scope = { merchantId: merchant.merchant.id, mode: 'live', audit, now: noon } as const;
  const charge = await seedCharge(service, merchant);
  const interest = await seedUnmatchedTransfer(service, merchant, { charge, minor: 1_234n });
  const other = await seedUnmatchedTransfer(service, merchant, { charge, minor: 500n });
  const input = { transferIds: [interest.id, other.id], note: 'Interest' };
  const dismissed = await dismissTransfers(service, { ...scope, input });
  expect(dismissed.map(({ status }) => status)).toEqual(['dismissed', 'dismissed']);
  const read = async () => {
    const period = {
      merchant: merchant.merchant,
      mode: 'live',
      from: '2026-11-17',
      to: '2026-11-17',
    } as const;
    const { lines } = await reconcile(toStaleReads(service), period);
    return lines.find(({ account }) => account.id === charge.receivingAccountId);
  };
  expect(await read()).toMatchObject({
    received: 1_734n,
    matched: 0n,
    returned: 0n,
    otherIncoming: 1_734n,
    closing: 1_734n,
  });
  await expect(dismissTransfers(service, { ...scope, input })).rejects.toThrow(/has the status "dismissed"/);
  const reopened = await unassignTransfer(service, { ...scope, input: { transferId: interest.id } });
  expect(reopened).toMatchObject({ status: 'exception', reason: 'unassigned', allocated: 0n });
  expect(await read()).toMatchObject({ exceptions: 1_234n, otherIncoming: 500n, closing: 1_734n });
  await expectInvariants(service);
});

test('a matched transfer cannot be dismissed, and no other is dismissed with it', async ({
  service,
  merchant,
}) => {
  const scope = { merchantId: merchant.merchant.id, mode: 'live', audit, now: noon } as const;
  const charge = await seedCharge(service, merchant);
  const unmatched = await seedUnmatchedTransfer(service, merchant, { charge, minor: 1_234n });
  const { transferId } = await payCharge(service, merchant, charge, { now: noon });
  const input = { transferIds: [unmatched.id, transferId!] };
  await expect(dismissTransfers(service, { ...scope, input })).rejects.toThrow(/has the status "matched"/);
  await expect(dismissTransfers(service, { ...scope, input: { transferIds: [] } })).rejects.toThrow(
    /1 to 100/,
  );
  expect(await service.prisma.transfer.findUnique({ where: { id: unmatched.id } })).toMatchObject({
    status: 'exception',
  });
});

test('the bank may reverse a dismissed transfer', async ({ service, merchant }) => {
  const scope = { merchantId: merchant.merchant.id, mode: 'live', audit, now: noon } as const;
  const charge: Charge = await seedCharge(service, merchant);
  const { paymentReference: reference, receivingAccountId } = charge;
  const part = await payCharge(service, merchant, charge, { minor: 5_000n, reference: 'XX', now: noon });
  await dismissTransfers(service, { ...scope, input: { transferIds: [part.transferId!] } });
  const input = transferInput({ reference: `XX ${reference}`, paidAt: noon });
  await reverseOne(service, merchant, { receivingAccountId, input });
  await expectInvariants(service);
});

test('the assignee and the note change without the state', async ({ service, merchant }) => {
  const scope = { merchantId: merchant.merchant.id, mode: 'live', audit, now: noon } as const;
  const charge = await seedCharge(service, merchant);
  const { id } = await seedUnmatchedTransfer(service, merchant, { charge, minor: 1_234n });
  const user = await service.prisma.merchantUser.findFirstOrThrow({
    where: { merchantId: scope.merchantId },
  });
  const change = (input: object) =>
    updateTransfers(service, { ...scope, input: { transferIds: [id], ...input } });
  expect(await change({ assigneeId: user.id, note: 'Called the bank' })).toMatchObject([
    { status: 'exception', assigneeId: user.id, note: 'Called the bank' },
  ]);
  expect(await change({ assigneeId: null })).toMatchObject([{ assigneeId: null, note: 'Called the bank' }]);
  await expect(change({ assigneeId: 'usr_other' })).rejects.toThrow(/must be a user of your account/);
});
