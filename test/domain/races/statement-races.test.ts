import { describe, expect } from 'vitest';
import type { Charge, Statement } from '../../../prisma/client/client.ts';
import type { NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import { cancelStatement } from '../../../src/domain/money-in/statement/cancel-statement.ts';
import { runImport } from '../../../src/domain/money-in/statement/import/run-import.ts';
import { startImporter } from '../../../src/domain/money-in/statement/import/start-importer.ts';
import {
  claimStatement,
  LeaseLostError,
} from '../../../src/domain/money-in/statement/transition-statement.ts';
import { runUndo } from '../../../src/domain/money-in/statement/undo/run-undo.ts';
import { assignTransfer } from '../../../src/domain/money-in/transfer/review/assign-transfer.ts';
import { createRefund } from '../../../src/domain/payments/refund/create-refund.ts';
import { submitRefundDetails } from '../../../src/domain/payments/refund/submit-refund-details.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { concurrently } from '../../setup/concurrently.ts';
import { count } from '../../setup/counts.ts';
import { doneOrCode } from '../../setup/errors.ts';
import { csvLines, getNonZeroCounts, importFile, queueFile } from '../../setup/import-file.ts';
import { expectInvariants, checkedTest as test } from '../../setup/invariants.ts';
import { payeeAccount } from '../../setup/payouts.ts';
import { minutesAfter, noon, seedCharge } from '../../setup/seed.ts';
import { booking, camtXml } from '../../setup/statement-files.ts';
import { finishUndo, startUndo } from '../../setup/undo.ts';

const timeout = count(60_000, 3_600_000);
const rounds = count(6, 500);
const owner = ({ merchant }: NewMerchant) => ({
  merchantId: merchant.id,
  mode: 'live' as const,
  actor: 'user:ada',
  now: noon,
});
const clock = { now: () => noon };
const readStatement = ({ prisma }: Service, { id }: Pick<Statement, 'id'>) =>
  prisma.statement.findUniqueOrThrow({ where: { id } });

/** A charge that a statement has paid, with a refund that waits for payout details. */
async function seedRefundedStatement(service: Service, merchant: NewMerchant, round: number) {
  const charge = await seedCharge(service, merchant, { input: { notifyPayload: `round ${round}` } });
  const entry = booking({ reference: `R${round}`, text: charge.paymentReference });
  const statement = await importFile(service, merchant, {
    content: camtXml(entry),
    receivingAccountId: charge.receivingAccountId,
    now: noon,
  });
  const { refund } = await createRefund(service, {
    ...owner(merchant),
    input: { chargeId: charge.id, customerAmount: 20 },
  });
  return { charge, statement, refund };
}

describe('An undo that meets the start of a refund', () => {
  test('succeeds, or the refund does, whichever is first', { timeout }, async ({ service, merchant }) => {
    for (let round = 0; round < rounds; round += 1) {
      const { statement, refund, charge } = await seedRefundedStatement(service, merchant, round);
      const operations = [
        () => startUndo(service, merchant, statement),
        () => submitRefundDetails(service, { ...owner(merchant), id: refund.id, details: payeeAccount }),
      ];
      const ordered = round % 2 === 0 ? operations : operations.toReversed();
      const results = await Promise.all(ordered.map((operation) => doneOrCode(operation())));
      const [undoResult, refundResult] = round % 2 === 0 ? results : results.toReversed();
      expect([
        ['done', 'statement_undo_in_progress'],
        ['statement_refunded', 'done'],
      ]).toContainEqual([undoResult, refundResult]);
      if (undoResult !== 'done') continue;
      expect(
        await doneOrCode(
          createRefund(service, {
            ...owner(merchant),
            input: { chargeId: charge.id, customerAmount: 1 },
          }),
        ),
      ).toBe('statement_undo_in_progress');
      await finishUndo(service, statement);
      const { status } = await service.prisma.refund.findUniqueOrThrow({ where: { id: refund.id } });
      expect(status).toBe('cancelled');
    }
  });

  test('waits for the refund, and is then rejected', async ({ service, merchant }) => {
    const { statement, refund } = await seedRefundedStatement(service, merchant, 0);
    const [result] = await concurrently(
      service,
      (uow) => submitRefundDetails(uow, { ...owner(merchant), id: refund.id, details: payeeAccount }),
      () => doneOrCode(startUndo(service, merchant, statement)),
    );
    expect(result).toBe('statement_refunded');
  });

  test('removes the money that a user assigns while it runs', async ({ service, merchant }) => {
    const { charge, statement } = await seedRefundedStatement(service, merchant, 0);
    const other = await seedCharge(service, merchant, { input: { email: 'bob@example.com' } });
    const unmatched = await importFile(service, merchant, {
      content: camtXml(booking({ reference: 'X1', text: 'no reference' })),
      receivingAccountId: charge.receivingAccountId,
      now: noon,
    });
    const transfer = await service.prisma.transfer.findFirstOrThrow({ where: { statementId: unmatched.id } });
    await startUndo(service, merchant, unmatched);
    await concurrently(
      service,
      (uow) =>
        assignTransfer(uow, {
          merchant: merchant.merchant,
          mode: 'live',
          audit: { actor: 'user:ada', now: noon },
          now: noon,
          assignment: { transferId: transfer.id, parts: [{ chargeId: other.id }] },
        }),
      () => finishUndo(service, unmatched),
    );
    const [row] = await service.prisma.charge.findMany({ where: { id: other.id } });
    expect(row).toMatchObject({ status: 'completed', amountReceived: 0n });
    expect(await readStatement(service, unmatched)).toMatchObject({ status: 'undone' });
    expect(await readStatement(service, statement)).toMatchObject({ status: 'completed' });
  });
});

describe('An undo whose process is killed', () => {
  const total = count(600, 3_000);
  const importLines = (service: Service, merchant: NewMerchant, charge: Charge) =>
    importFile(service, merchant, {
      ...csvLines(charge.paymentReference, total),
      receivingAccountId: charge.receivingAccountId,
      now: noon,
    });

  test('continues in another process, and undoes each transfer once', { timeout }, async ({
    service,
    merchant,
  }) => {
    const charge = await seedCharge(service, merchant);
    const statement = await importLines(service, merchant, charge);
    await startUndo(service, merchant, statement);
    const claimed = await claimStatement(service, { id: statement.id, systemNow: noon });
    // The process stops after its first batch, without releasing its lease.
    const killed = runUndo(service, {
      statement: claimed!,
      clock,
      onProgress: () => {
        throw new Error('killed');
      },
    });
    await expect(killed).rejects.toThrow('killed');
    expect(await readStatement(service, statement)).toMatchObject({ status: 'undoing', undoneCount: 250 });
    await expectInvariants(service);
    await expect(finishUndo(service, { id: statement.id })).rejects.toThrow('cannot be claimed');
    const later = minutesAfter(noon, 1);
    const undone = await finishUndo(service, { id: statement.id, now: later });
    expect(undone).toMatchObject({ status: 'undone', undoneCount: total });
    const late = runUndo(service, { statement: claimed!, clock: { now: () => later } });
    await expect(late).rejects.toThrow(LeaseLostError);
    const { amountReceived } = await service.prisma.charge.findUniqueOrThrow({ where: { id: charge.id } });
    expect(amountReceived).toBe(0n);
  });

  test('is released by a worker that stops, and continued by the next one', { timeout }, async ({
    service,
    merchant,
  }) => {
    const charge = await seedCharge(service, merchant);
    const statement = await importLines(service, merchant, charge);
    await startUndo(service, merchant, statement);
    const start = () =>
      startImporter(service, { clock, onError: (error) => expect.unreachable(error.stack) });
    const stopped = start();
    await stopped.startDue();
    await stopped.stop();
    expect(await readStatement(service, statement)).toMatchObject({ status: 'undoing', leasedUntil: null });
    const next = start();
    await next.startDue();
    await expect.poll(async () => (await readStatement(service, statement)).status).toBe('undone');
    await next.stop();
  });
});

describe('A cancellation', () => {
  const queueLines = (service: Service, merchant: NewMerchant, charge: Charge, total: number) =>
    queueFile(service, merchant, {
      ...csvLines(charge.paymentReference, total),
      receivingAccountId: charge.receivingAccountId,
      now: noon,
    });
  const cancel = (service: Service, merchant: NewMerchant, { id }: Pick<Statement, 'id'>) =>
    cancelStatement(service, { ...owner(merchant), id, audit: { actor: 'user:ada', now: noon } });

  test('stops a running import after its current batch, and the rest can be undone', async ({
    service,
    merchant,
  }) => {
    const charge = await seedCharge(service, merchant);
    const { statement } = await queueLines(service, merchant, charge, 900);
    const claimed = await claimStatement(service, { id: statement.id, systemNow: noon });
    const cancellations: Promise<Statement>[] = [];
    const running = runImport(service, {
      statement: claimed!,
      clock,
      onProgress: ({ recordedCount }) => {
        if (recordedCount === 250) cancellations.push(cancel(service, merchant, statement));
      },
    });
    await expect(running).rejects.toThrow(LeaseLostError);
    await Promise.all(cancellations);
    const cancelled = await readStatement(service, statement);
    expect(cancelled).toMatchObject({ status: 'cancelled', finishedAt: noon, leasedUntil: null });
    expect(cancelled.recordedCount).toBeLessThan(900);
    expect(await service.prisma.transfer.count({ where: { statementId: statement.id } })).toBe(
      cancelled.recordedCount,
    );
    expect(await doneOrCode(cancel(service, merchant, statement))).toBe('statement_not_in_progress');
    await startUndo(service, merchant, statement);
    expect(await finishUndo(service, statement)).toMatchObject({
      status: 'undone',
      undoneCount: cancelled.recordedCount,
    });
  });

  test('of a queued import records nothing, and the file can be imported again', async ({
    service,
    merchant,
  }) => {
    const charge = await seedCharge(service, merchant);
    const { statement } = await queueLines(service, merchant, charge, 3);
    await cancel(service, merchant, statement);
    const claimed = await claimStatement(service, { id: statement.id, systemNow: noon });
    expect(claimed).toBeUndefined();
    expect(await doneOrCode(startUndo(service, merchant, statement))).toBe('statement_not_undoable');
    const again = await importFile(service, merchant, {
      ...csvLines(charge.paymentReference, 3),
      receivingAccountId: charge.receivingAccountId,
      now: noon,
    });
    expect(getNonZeroCounts(again)).toEqual({ matched: 1, exception: 2 });
  });

  test('rolls back the batch that is being recorded', async ({ service, merchant }) => {
    const charge = await seedCharge(service, merchant);
    const { statement } = await queueLines(service, merchant, charge, 300);
    const claimed = await claimStatement(service, { id: statement.id, systemNow: noon });
    const validated = await service.prisma.statement.update({
      where: { id: statement.id },
      data: { entryCount: 300, format: 'csv' },
    });
    const [result] = await concurrently(
      service,
      (uow) =>
        cancelStatement(uow, {
          ...owner(merchant),
          id: statement.id,
          audit: { actor: 'user:ada', now: noon },
        }),
      () =>
        runImport(service, {
          statement: { ...validated, leasedUntil: claimed!.leasedUntil },
          clock,
        }).then(
          () => 'done',
          (error) => error.name,
        ),
    );
    expect(result).toBe('LeaseLostError');
    expect(await service.prisma.transfer.count({ where: { statementId: statement.id } })).toBe(0);
  });
});
