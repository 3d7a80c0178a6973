import fc from 'fast-check';
import { describe, expect, onTestFinished } from 'vitest';
import type { Charge } from '../../../prisma/client/client.ts';
import { reconcile } from '../../../src/domain/money-in/reconciliation/reconcile.ts';
import { inferBankFee } from '../../../src/domain/money-in/transfer/bank-fee.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { Decimal } from '../../../src/kit/decimal.ts';
import { toStaleReads } from '../../../src/kit/stale-reads.ts';
import { count } from '../../setup/counts.ts';
import { importFile } from '../../setup/import-file.ts';
import { minutesAfter, noon } from '../../setup/seed.ts';
import { booking, camtXml, details } from '../../setup/statement-files.ts';
import { transferTest as test } from '../../setup/transfer-test.ts';

/** Sets the rule of the account of the charge until the test ends. */
async function setRule(service: Service, { receivingAccountId: id }: Charge, rule: object): Promise<void> {
  const none = { maxBankFee: null, maxBankFeeRate: null };
  onTestFinished(async () => {
    await service.prisma.receivingAccount.update({ where: { id }, data: none });
  });
  await service.prisma.receivingAccount.update({ where: { id }, data: { ...none, ...rule } });
}

describe('Fee that banks deducted on the way', () => {
  test('is recorded on the charge, which completes in full', async ({ transfers, service }) => {
    const charge = await transfers.newCharge();
    await setRule(service, charge, { maxBankFee: 2_000n });
    const result = await transfers.record(charge, { minor: charge.customerAmount - 2_000n });
    expect(result).toMatchObject({ status: 'matched', chargeId: charge.id });
    expect(await transfers.reload(charge)).toMatchObject({
      status: 'completed',
      amountReceived: charge.customerAmount - 2_000n,
      feeAmount: 2_000n,
    });
    expect(await transfers.getEventTypes(charge.id)).toEqual(['charge_created', 'CHARGE_COMPLETE']);
  });

  test('is not accepted above the rule of the account, and without a rule', async ({
    transfers,
    service,
  }) => {
    const [one, two] = [await transfers.newCharge(), await transfers.newCharge()];
    expect(await transfers.record(one, { minor: one.customerAmount - 1n })).toMatchObject({
      status: 'partial',
    });
    await setRule(service, two, { maxBankFee: 2_000n });
    expect(await transfers.record(two, { minor: two.customerAmount - 2_001n })).toMatchObject({
      status: 'partial',
    });
    expect(await transfers.reload(two)).toMatchObject({ status: 'pending', feeAmount: 0n });
    expect(await transfers.record(two, { minor: 1n })).toMatchObject({ status: 'matched' });
    expect(await transfers.reload(two)).toMatchObject({ status: 'completed', feeAmount: 2_000n });
  });

  test('is removed with the payment, by a user or by the bank', async ({ transfers, service }) => {
    const charges = [await transfers.newCharge(), await transfers.newCharge()] as const;
    await setRule(service, charges[0], { maxBankFeeRate: '0.0100' });
    const minor = charges[0].customerAmount - 128n;
    const results = [];
    for (const charge of charges)
      results.push(await transfers.record(charge, { minor, bankReference: `fee-${charge.id}` }));
    expect(results.map(({ status }) => status)).toEqual(['matched', 'matched']);
    await transfers.unassign(results[0]!.transferId, charges[0].id);
    await transfers.reverse(charges[1], { minor, reversedReference: `fee-${charges[1].id}` });
    for (const charge of charges)
      expect(await transfers.reload(charge)).toMatchObject({
        status: 'completed',
        amountReceived: 0n,
        feeAmount: 0n,
      });
    await transfers.assign(results[0]!.transferId, { chargeId: charges[0].id });
    expect(await transfers.reload(charges[0])).toMatchObject({ amountReceived: minor, feeAmount: 0n });
  });

  test('also completes a charge that a user assigns', async ({ transfers, service }) => {
    const charge = await transfers.newCharge();
    await setRule(service, charge, { maxBankFee: 500n });
    const { id } = await transfers.seedUnmatched(charge, charge.customerAmount - 500n);
    const { transfer } = await transfers.assign(id, { chargeId: charge.id });
    expect(transfer.status).toBe('matched');
    const [allocation] = await service.prisma.allocation.findMany({ where: { transferId: id } });
    expect(allocation).toMatchObject({ reason: 'assigned', feeAmount: 500n });
  });

  test('is never more than half of the amount, and at most what the rule allows', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 100_000n }),
        fc.bigInt({ min: -10n, max: 100_000n }),
        fc.bigInt({ min: 1n, max: 60_000n }),
        fc.integer({ min: 1, max: 500 }),
        (requested, received, maxBankFee, points) => {
          const rule = { maxBankFee, maxBankFeeRate: new Decimal(points).div(10_000) };
          const fee = inferBankFee(rule, { requested, received });
          const byRate = (requested * BigInt(points) + 9_999n) / 10_000n;
          const limit = maxBankFee > byRate ? maxBankFee : byRate;
          const isAllowed =
            received < requested && requested - received <= limit && (requested - received) * 2n <= requested;
          expect(fee).toBe(isAllowed ? requested - received : 0n);
          expect(inferBankFee({ maxBankFee: null, maxBankFeeRate: null }, { requested, received })).toBe(0n);
        },
      ),
      { numRuns: count(500, 5_000) },
    );
  });
});

describe('Batch that an acquirer books net', () => {
  test.for(['parts first', 'booking first'])(
    'is replaced by its payments, which complete in full (%s)',
    async (order, { transfers, service, merchant }) => {
      const [one, two] = [await transfers.newCharge(), await transfers.newCharge()];
      await setRule(service, one, { maxBankFeeRate: '0.0150' });
      const part = ({ paymentReference }: Charge, i: number) =>
        `<Refs><AcctSvcrRef>P${i}-${one.id}</AcctSvcrRef></Refs><Amt Ccy="HKD">128.50</Amt><CdtDbtInd>CRDT</CdtDbtInd>
        <RmtInf><Ustrd>${paymentReference}</Ustrd></RmtInf>`;
      const reference = `BATCH-${one.id}`;
      const parts = camtXml(
        booking({ amount: '257.00', reference, details: details(part(one, 1), part(two, 2)) }),
        { message: '054' },
      );
      const net = camtXml(booking({ amount: '253.15', reference, text: 'QR SETTLEMENT' }));
      const { receivingAccountId } = one;
      for (const content of order === 'parts first' ? [parts, net] : [net, parts])
        await importFile(service, merchant, {
          content,
          receivingAccountId,
          mapping: undefined,
          now: minutesAfter(noon, 60),
        });
      for (const charge of [one, two])
        expect(await transfers.reload(charge)).toMatchObject({
          status: 'completed',
          amountReceived: 12_850n,
          feeAmount: 0n,
        });
      const rows = await service.prisma.transfer.findMany({ where: { bankReference: reference } });
      expect(rows).toMatchObject([{ status: 'duplicate', amount: 25_315n, feeAmount: 385n }]);
      const { lines } = await reconcile(toStaleReads(service), {
        ...transfers.owner,
        merchant: merchant.merchant,
        from: '2026-11-17',
        to: '2026-11-17',
        receivingAccountId,
      });
      expect(lines).toMatchObject([{ received: 25_700n, fees: 385n, closing: 25_315n }]);
    },
  );

  test('is an exception if the difference is above the rule', async ({ transfers, service, merchant }) => {
    const charge = await transfers.newCharge();
    const reference = `BATCH-${charge.id}`;
    await setRule(service, charge, { maxBankFeeRate: '0.0100' });
    await transfers.record(charge, {
      fileKind: 'camt.054',
      batchReference: reference,
      statementId: undefined,
    });
    const content = camtXml(booking({ amount: '127.20', reference, text: 'QR SETTLEMENT' }));
    const { receivingAccountId } = charge;
    await importFile(service, merchant, {
      content,
      receivingAccountId,
      mapping: undefined,
      now: minutesAfter(noon, 60),
    });
    const rows = await service.prisma.transfer.findMany({ where: { bankReference: reference } });
    expect(rows).toMatchObject([{ status: 'exception', feeAmount: 0n }]);
  });
});
