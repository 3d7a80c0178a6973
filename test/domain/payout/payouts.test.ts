import { describe, expect } from 'vitest';
import type { Refund } from '../../../prisma/client/client.ts';
import type { NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import { reconcile } from '../../../src/domain/money-in/reconciliation/reconcile.ts';
import { markTransferAsDuplicate } from '../../../src/domain/money-in/transfer/duplicates/mark-transfer-as-duplicate.ts';
import { recordTransfers } from '../../../src/domain/money-in/transfer/record/record-transfers.ts';
import { returnTransfer } from '../../../src/domain/money-in/transfer/review/return-transfer.ts';
import { unassignTransfer } from '../../../src/domain/money-in/transfer/review/unassign-transfer.ts';
import { completeRefund } from '../../../src/domain/payments/refund/complete-refund.ts';
import { findReturnedPayout } from '../../../src/domain/payments/refund/find-returned-payout.ts';
import { reopenRefund } from '../../../src/domain/payments/refund/reopen-refund.ts';
import { submitRefundDetails } from '../../../src/domain/payments/refund/submit-refund-details.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { toStaleReads } from '../../../src/kit/stale-reads.ts';
import { expectMerchantBooks } from '../../setup/books.ts';
import { count } from '../../setup/counts.ts';
import { doneOrCode } from '../../setup/errors.ts';
import { importFile } from '../../setup/import-file.ts';
import { checkedTest as test } from '../../setup/invariants.ts';
import { payeeAccount, payOut, returnPayout, reverseReturn, seedPayableRefund } from '../../setup/payouts.ts';
import { minutesAfter, noon } from '../../setup/seed.ts';
import { balancedMt940Text, booking, camtXml, details } from '../../setup/statement-files.ts';

const owner = (merchant: NewMerchant) => ({
  merchantId: merchant.merchant.id,
  mode: 'live' as const,
  actor: 'user:ada',
  now: noon,
});
const read = (service: Service, refund: Refund) =>
  service.prisma.refund.findUniqueOrThrow({ where: { id: refund.id }, include: { payouts: true } });
const completions = (service: Service, refund: Refund) =>
  service.prisma.event.findMany({ where: { objectId: refund.id, type: 'refund_completed' } });
const complete = (service: Service, merchant: NewMerchant, refund: Refund) =>
  completeRefund(service, { ...owner(merchant), id: refund.id });
const reopen = (service: Service, merchant: NewMerchant, refund: Refund) =>
  reopenRefund(service, { ...owner(merchant), id: refund.id, reason: 'The bank returned it.' });

describe('Outgoing transfer', () => {
  test('completes the refund with its payout reference in any notation', async ({ service, merchant }) => {
    const refund = await seedPayableRefund(service, merchant);
    const code = refund.payoutReference;
    const reference = `refund: ${code.slice(0, 5).toLowerCase()}-${code.slice(5, 7)} ${code.slice(7)}/Ada`;
    const result = await payOut(service, merchant, refund, { reference });
    expect(result).toEqual({
      status: 'outgoing',
      transferId: expect.stringMatching(/^tr_/),
      refundId: refund.id,
    });
    const paid = await read(service, refund);
    expect(paid.status).toBe('completed');
    expect(paid.payouts).toMatchObject([{ transferId: result.transferId, actor: 'key:feed', amount: 2050n }]);
    expect(await completions(service, refund)).toMatchObject([{ actor: 'key:feed' }]);
    const transfer = await service.prisma.transfer.findUniqueOrThrow({ where: { id: result.transferId } });
    expect(transfer).toMatchObject({ direction: 'debit', status: 'outgoing', reason: null, allocated: 0n });
  });

  test('changes nothing when it is reported again, also by another source', async ({ service, merchant }) => {
    const refund = await seedPayableRefund(service, merchant);
    const first = await payOut(service, merchant, refund);
    const duplicate = { status: 'duplicate', transferId: first.transferId };
    expect(await payOut(service, merchant, refund)).toEqual(duplicate);
    const ofFeed = await payOut(service, merchant, refund, { id: `feed-${refund.id}`, source: 'feed' });
    expect(ofFeed).toMatchObject({ status: 'duplicate' });
    expect(await completions(service, refund)).toHaveLength(1);
  });

  test.for([
    ['another amount', { amount: '20.51' }, 'payout_amount_mismatch'],
    ['another currency', { currency: 'USD' }, 'payout_amount_mismatch'],
    ['no payout reference', { reference: 'Rent for November' }, 'unknown_payout'],
    ['an unknown payout reference', { reference: 'PUMA23456W' }, 'unknown_payout'],
  ] as const)(
    'with %s does not complete the refund, and has a reason',
    async ([_name, line, reason], { service, merchant }) => {
      const refund = await seedPayableRefund(service, merchant);
      const result = await payOut(service, merchant, refund, { id: `odd-${refund.id}`, ...line });
      expect(result).toMatchObject({ status: 'outgoing', reason });
      expect((await read(service, refund)).status).toBe('processing');
    },
  );

  test('with the payout references of two refunds completes neither', async ({ service, merchant }) => {
    const [first, second] = [
      await seedPayableRefund(service, merchant),
      await seedPayableRefund(service, merchant),
    ];
    const reference = `${first.payoutReference} ${second.payoutReference}`;
    const result = await payOut(service, merchant, first, { reference, amount: '41' });
    expect(result.reason).toBe('multiple_refunds');
  });

  test('is matched with the payout of a manually completed refund, and a second one is a repeated payment', async ({
    service,
    merchant,
  }) => {
    const refund = await seedPayableRefund(service, merchant);
    await complete(service, merchant, refund);
    const first = await payOut(service, merchant, refund, { paidAt: minutesAfter(noon, 30) });
    expect(first.refundId).toBe(refund.id);
    const second = await payOut(service, merchant, refund, { id: `twice-${refund.id}` });
    expect(second).toMatchObject({ status: 'outgoing', reason: 'payout_repeated' });
    expect((await read(service, refund)).payouts).toMatchObject([
      { transferId: first.transferId, actor: 'user:ada', paidAt: minutesAfter(noon, 30) },
    ]);
    expect(await completions(service, refund)).toHaveLength(1);
  });

  test('with the payout reference from before the refund was reopened does not complete it', async ({
    service,
    merchant,
  }) => {
    const refund = await seedPayableRefund(service, merchant);
    const { refund: reopened } = await reopen(service, merchant, refund);
    expect(reopened.payoutReference).not.toBe(refund.payoutReference);
    await submitRefundDetails(service, { ...owner(merchant), id: refund.id, details: payeeAccount });
    expect(await payOut(service, merchant, refund)).toMatchObject({ reason: 'payout_superseded' });
    expect((await read(service, refund)).status).toBe('processing');
  });

  test('completes the refund once when a user completes it concurrently', async ({ service, merchant }) => {
    for (let round = 0; round < count(8, 1_000); round++) {
      const refund = await seedPayableRefund(service, merchant);
      const manual = doneOrCode(complete(service, merchant, refund));
      const [line, outcome] = await Promise.all([payOut(service, merchant, refund), manual]);
      expect(line.refundId).toBe(refund.id);
      expect(['done', 'refund_not_processing']).toContain(outcome);
      expect(await completions(service, refund)).toHaveLength(1);
      expect((await read(service, refund)).payouts).toMatchObject([{ transferId: line.transferId }]);
    }
  });
});

describe('Outgoing transfer without a reference that two sources report', () => {
  const seed = async (service: Service, merchant: NewMerchant) => {
    const refund = await seedPayableRefund(service, merchant);
    const rent = { amount: '900', reference: 'Rent for November' };
    const first = await payOut(service, merchant, refund, { ...rent, id: 'rent-feed', source: 'feed' });
    const second = await payOut(service, merchant, refund, { ...rent, id: 'rent-statement' });
    expect(second).toMatchObject({ status: 'outgoing', reason: 'possible_duplicate' });
    return { first, second };
  };
  const readOther = async (service: Service, { merchant }: NewMerchant) => {
    const scope = { merchant, mode: 'live' as const, from: '2026-11-01', to: '2026-11-30' };
    const { lines } = await reconcile(toStaleReads(service), scope);
    return lines.map(({ otherOutgoingAmount }) => otherOutgoingAmount);
  };
  const decision = ({ merchant }: NewMerchant) => {
    const audit = { actor: 'user:ada', now: noon };
    return { merchant, merchantId: merchant.id, mode: 'live' as const, audit, now: noon };
  };

  test('counts once until a user decides, and when it is marked as a duplicate', async ({
    service,
    merchant,
  }) => {
    const { first, second } = await seed(service, merchant);
    expect(await readOther(service, merchant)).toEqual([90_000n]);
    const input = { transferId: second.transferId, duplicateOfId: first.transferId };
    const marked = await markTransferAsDuplicate(service, { ...decision(merchant), input });
    expect(marked).toMatchObject({ status: 'duplicate', duplicateOfId: first.transferId });
    expect(await readOther(service, merchant)).toEqual([90_000n]);

    const unmark = { transferId: second.transferId };
    const unmarked = await unassignTransfer(service, { ...decision(merchant), input: unmark });
    expect(unmarked).toMatchObject({ status: 'outgoing', reason: 'unknown_payout' });
    expect(await readOther(service, merchant)).toEqual([180_000n]);
  });

  test('counts twice when a user confirms that it is a separate payment', async ({ service, merchant }) => {
    const { first, second } = await seed(service, merchant);
    const confirm = (transferId: string) =>
      returnTransfer(service, { ...decision(merchant), input: { transferId } });
    expect(await confirm(second.transferId)).toMatchObject({ status: 'outgoing', reason: 'unknown_payout' });
    expect(await readOther(service, merchant)).toEqual([180_000n]);
    for (const { transferId } of [first, second])
      await expect(confirm(transferId)).rejects.toMatchObject({ code: 'transfer_already_allocated' });
  });
});

describe('Returned payout', () => {
  test('allows a completed refund to be reopened', async ({ service, merchant }) => {
    const refund = await seedPayableRefund(service, merchant);
    await payOut(service, merchant, refund);
    await expect(reopen(service, merchant, refund)).rejects.toMatchObject({ code: 'refund_not_processing' });
    const returned = await returnPayout(service, merchant, refund);
    expect(returned).toMatchObject({ status: 'exception', reason: 'returned_payment' });
    expect((await read(service, refund)).status).toBe('completed');

    const { refund: reopened } = await reopen(service, merchant, refund);
    expect(reopened).toMatchObject({ status: 'initiated', completedAt: null, detailsEncrypted: null });
    expect((await read(service, refund)).payouts).toMatchObject([
      { returnedTransferId: returned.transferId },
    ]);
    const transfer = await service.prisma.transfer.findUniqueOrThrow({
      where: { id: returned.transferId },
      include: { allocations: true },
    });
    expect(transfer).toMatchObject({ status: 'matched', allocations: [{ refundId: refund.id }] });

    await submitRefundDetails(service, { ...owner(merchant), id: refund.id, details: payeeAccount });
    await payOut(service, merchant, reopened);
    expect(await read(service, refund)).toMatchObject({ status: 'completed', payouts: [{}, {}] });
    await expect(reopen(service, merchant, refund)).rejects.toMatchObject({ code: 'refund_not_processing' });
  });

  test('that is reported twice reopens its refund once, and does not affect the next payout', async ({
    service,
    merchant,
  }) => {
    const refund = await seedPayableRefund(service, merchant);
    await payOut(service, merchant, refund);
    const returned = await returnPayout(service, merchant, refund);
    const repeated = await returnPayout(service, merchant, refund, { id: `left-${refund.id}` });
    expect(repeated).toMatchObject({ status: 'exception', reason: 'returned_payment' });
    const { refund: reopened } = await reopen(service, merchant, refund);
    const { refund: resubmitted } = await submitRefundDetails(service, {
      ...owner(merchant),
      id: refund.id,
      details: payeeAccount,
    });
    expect(await findReturnedPayout(service.prisma, resubmitted)).toBeUndefined();
    const paid = await payOut(service, merchant, reopened);
    expect(await findReturnedPayout(service.prisma, await read(service, refund))).toBeUndefined();
    await expect(reopen(service, merchant, refund)).rejects.toMatchObject({ code: 'refund_not_processing' });
    expect(await read(service, refund)).toMatchObject({
      status: 'completed',
      payouts: [
        { reference: refund.payoutReference, returnedTransferId: returned.transferId },
        { reference: reopened.payoutReference, transferId: paid.transferId, returnedTransferId: null },
      ],
    });
  });

  test('with the payout reference of an abandoned payout is matched with its refund', async ({
    service,
    merchant,
  }) => {
    const refund = await seedPayableRefund(service, merchant);
    await reopen(service, merchant, refund);
    await submitRefundDetails(service, { ...owner(merchant), id: refund.id, details: payeeAccount });
    const returned = await returnPayout(service, merchant, refund);
    await reopen(service, merchant, refund);
    const transfer = await service.prisma.transfer.findUniqueOrThrow({
      where: { id: returned.transferId },
      include: { allocations: true },
    });
    expect(transfer).toMatchObject({ status: 'matched', allocations: [{ refundId: refund.id }] });
  });

  const readSums = async (service: Service, { merchant }: NewMerchant) => {
    const scope = { merchant, mode: 'live' as const, from: '2026-11-01', to: '2026-11-30' };
    const { lines } = await reconcile(toStaleReads(service), scope);
    await expectMerchantBooks(service, scope);
    return lines.map(({ received, refunded, otherOutgoingAmount: other, closing }) => ({
      ...{ received, refunded, other, closing },
    }));
  };
  const returnedSums = [{ received: 14_900n, refunded: 2_050n, other: 0n, closing: 12_850n }];

  test('that is reported before the payout is balanced by the payout, which is linked later', async ({
    service,
    merchant,
  }) => {
    const refund = await seedPayableRefund(service, merchant);
    const returned = await returnPayout(service, merchant, refund);
    await reopen(service, merchant, refund);
    expect(await readSums(service, merchant)).toEqual(returnedSums);
    const paid = await payOut(service, merchant, refund, { paidAt: minutesAfter(noon, -30) });
    expect(paid).toMatchObject({ status: 'outgoing', refundId: refund.id });
    expect(await read(service, refund)).toMatchObject({
      status: 'initiated',
      payouts: [
        {
          ...{ reference: refund.payoutReference, transferId: paid.transferId },
          ...{ returnedTransferId: returned.transferId, paidAt: minutesAfter(noon, -30) },
        },
      ],
    });
    expect(await readSums(service, merchant)).toEqual(returnedSums);
    const second = await payOut(service, merchant, refund, { id: `twice-${refund.id}` });
    expect(second).toMatchObject({ reason: 'payout_superseded' });
  });

  test('of a manually completed refund counts its payout once when it is reported after the return', async ({
    service,
    merchant,
  }) => {
    const refund = await seedPayableRefund(service, merchant);
    await complete(service, merchant, refund);
    await returnPayout(service, merchant, refund);
    await reopen(service, merchant, refund);
    const paid = await payOut(service, merchant, refund);
    expect(paid).toMatchObject({ status: 'outgoing', refundId: refund.id });
    expect((await read(service, refund)).payouts).toMatchObject([{ transferId: paid.transferId }]);
    expect(await readSums(service, merchant)).toEqual(returnedSums);
  });

  test('is linked to the payout that was reported with an outdated reference', async ({
    service,
    merchant,
  }) => {
    const refund = await seedPayableRefund(service, merchant);
    await reopen(service, merchant, refund);
    await submitRefundDetails(service, { ...owner(merchant), id: refund.id, details: payeeAccount });
    const paid = await payOut(service, merchant, refund);
    expect(paid).toMatchObject({ reason: 'payout_superseded' });
    await returnPayout(service, merchant, refund);
    await reopen(service, merchant, refund);
    expect((await read(service, refund)).payouts).toMatchObject([{ transferId: paid.transferId }]);
    const transfer = await service.prisma.transfer.findUniqueOrThrow({ where: { id: paid.transferId } });
    expect(transfer).toMatchObject({ status: 'outgoing', reason: null });
    expect(await readSums(service, merchant)).toEqual(returnedSums);
  });

  test('is linked to the payout that was reported before the customer entered the details', async ({
    service,
    merchant,
  }) => {
    const refund = await seedPayableRefund(service, merchant);
    const { refund: initiated } = await reopen(service, merchant, refund);
    const paid = await payOut(service, merchant, initiated);
    expect(paid).toMatchObject({ reason: 'payout_not_expected' });
    await submitRefundDetails(service, { ...owner(merchant), id: refund.id, details: payeeAccount });
    await returnPayout(service, merchant, initiated);
    await reopen(service, merchant, refund);
    expect((await read(service, refund)).payouts).toMatchObject([{ transferId: paid.transferId }]);
    expect(await readSums(service, merchant)).toEqual(returnedSums);
  });

  test('that is reversed after it reopened its refund becomes an exception', async ({
    service,
    merchant,
  }) => {
    const refund = await seedPayableRefund(service, merchant);
    await payOut(service, merchant, refund);
    const { transferId } = await returnPayout(service, merchant, refund);
    await reopen(service, merchant, refund);
    expect(await reverseReturn(service, merchant, refund)).toMatchObject({ status: 'outgoing' });
    const transfer = await service.prisma.transfer.findUniqueOrThrow({ where: { id: transferId } });
    expect(transfer).toMatchObject({ status: 'exception', reason: 'reversed' });
    expect((await read(service, refund)).status).toBe('initiated');
  });

  test('of another amount does not allow the refund to be reopened', async ({ service, merchant }) => {
    const refund = await seedPayableRefund(service, merchant);
    await payOut(service, merchant, refund);
    await returnPayout(service, merchant, refund, { amount: '20.49' });
    await expect(reopen(service, merchant, refund)).rejects.toMatchObject({ code: 'refund_not_processing' });
  });
});

describe('Payout', () => {
  const readStatus = async (service: Service, { id }: Refund) =>
    (await service.prisma.refund.findUniqueOrThrow({ where: { id } })).status;
  const findAccountId = async (service: Service, { chargeId }: Refund) =>
    (await service.prisma.charge.findUniqueOrThrow({ where: { id: chargeId } })).receivingAccountId;

  const importText = (service: Service, merchant: NewMerchant, content: string, receivingAccountId: string) =>
    importFile(service, merchant, { content, receivingAccountId, now: noon });

  const debit = (reference: string, transaction: string) =>
    booking({ amount: '20.50', direction: 'DBIT', reference, details: details(transaction) });

  test('completes its refund by the remittance text or the end-to-end id of a statement', async ({
    service,
    merchant,
  }) => {
    const [byText, byId, other] = [
      await seedPayableRefund(service, merchant),
      await seedPayableRefund(service, merchant),
      await seedPayableRefund(service, merchant),
    ];
    const file = camtXml(
      [
        debit('D1', `<RmtInf><Ustrd>${byText.payoutReference}</Ustrd></RmtInf>`),
        debit('D2', `<Refs><EndToEndId>${byId.payoutReference}</EndToEndId></Refs>`),
        debit('D3', '<RmtInf><Ustrd>Rent</Ustrd></RmtInf>'),
      ].join('\n'),
    );
    await importText(service, merchant, file, await findAccountId(service, byText));
    expect([
      await readStatus(service, byText),
      await readStatus(service, byId),
      await readStatus(service, other),
    ]).toEqual(['completed', 'completed', 'processing']);
    const lines = await service.prisma.transfer.findMany({
      where: { merchantId: merchant.merchant.id, direction: 'debit' },
      orderBy: { bankReference: 'asc' },
    });
    expect(lines).toMatchObject([
      { status: 'outgoing', reason: null },
      { status: 'outgoing', reason: null },
      { status: 'outgoing', reason: 'unknown_payout' },
    ]);
  });

  test('is returned once when notification, statement and MT940 report it, and its refund can be reopened', async ({
    service,
    merchant,
  }) => {
    const refund = await seedPayableRefund(service, merchant);
    const account = await findAccountId(service, refund);
    const { payoutReference: reference } = refund;
    await importText(
      service,
      merchant,
      camtXml(debit('OUT', `<RmtInf><Ustrd>${reference}</Ustrd></RmtInf>`)),
      account,
    );
    const transactions = details(
      `<RmtInf><Ustrd>${reference}</Ustrd></RmtInf><RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf>`,
    );
    const credit = (bankReference: string) =>
      booking({ amount: '20.50', date: '2026-11-18', reference: bankReference, details: transactions });
    await importText(service, merchant, camtXml(credit('N1'), { message: '054' }), account);
    await importText(
      service,
      merchant,
      balancedMt940Text(`:61:2611181118C20,50NRTINONREF//M1\n:86:${reference} AC04`),
      account,
    );
    await importText(service, merchant, camtXml(credit('B1')), account);
    const transfers = await service.prisma.transfer.findMany({
      where: { receivingAccountId: account, direction: 'credit', reference: { contains: reference } },
      orderBy: { id: 'asc' },
    });
    const [first] = transfers;
    expect(transfers).toMatchObject([
      { status: 'exception', reason: 'returned_payment' },
      { status: 'duplicate', duplicateOfId: first!.id },
      { status: 'duplicate', duplicateOfId: first!.id },
    ]);
    const owner = { merchantId: merchant.merchant.id, mode: 'live', actor: 'user:ada', now: noon } as const;
    await reopenRefund(service, { ...owner, id: refund.id, reason: 'The bank returned it.' });
    const unmatched = {
      receivingAccountId: account,
      status: 'exception',
      reason: 'returned_payment',
    } as const;
    expect(await service.prisma.transfer.count({ where: unmatched })).toBe(0);
  });

  test('completes its refund by a debit of a feed, and a credit of the same id is another transfer', async ({
    service,
    merchant,
  }) => {
    const refund = await seedPayableRefund(service, merchant);
    const item = {
      id: 'feed-1',
      receivingAccountId: await findAccountId(service, refund),
      amount: 20.5,
      currency: 'HKD',
      reference: `REFUND ${refund.payoutReference}`,
      paidAt: noon.toISOString(),
    };
    const feed = (...items: (typeof item & { direction?: 'debit' })[]) =>
      recordTransfers(service, {
        merchant: merchant.merchant,
        mode: 'live',
        items,
        actor: 'key:feed',
        now: noon,
      });
    const credit = { ...item, id: 'feed-0', reference: 'hello' };
    expect(await feed(credit, { ...item, direction: 'debit' }, { ...item, direction: 'debit' })).toEqual([
      { id: 'feed-0', status: 'exception', reason: 'missing_reference', transferId: expect.any(String) },
      { id: 'feed-1', status: 'outgoing', refundId: refund.id, transferId: expect.any(String) },
      { id: 'feed-1', status: 'duplicate', transferId: expect.any(String) },
    ]);
    expect(await readStatus(service, refund)).toBe('completed');
    const [other] = await feed(item);
    expect(other).toMatchObject({ id: 'feed-1', status: 'exception' });
  });
});
