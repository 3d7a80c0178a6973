import type { Merchant, ReceivingAccount, Statement } from '../../../../../prisma/client/client.ts';
import { transact } from '../../../../event/unit-of-work.ts';
import type { Db } from '../../../../kit/db.ts';
import { dayMs } from '../../../../kit/duration.ts';
import type { StatementEntry } from '../../../../statement/statement-entry.ts';
import { lockSharedIds, readSharedIds } from '../../../accounts/receiving-account/bank-account.ts';
import { merchantNow } from '../../../platform/clock/merchant-now.ts';
import type { Service } from '../../../platform/service.ts';
import type { TransferInput } from '../../transfer/record/draft-transfer.ts';
import { recordCredits } from '../../transfer/record/record-credits.ts';
import { isOfFileAccount } from '../file-account.ts';
import { getImportCounts, type ImportCounts } from '../statement-state.ts';
import { lockStatement, transitionStatement } from '../transition-statement.ts';
import { createEntryConverter } from './convert-entry.ts';
import { createProgressTimer, type ImportRun, type StatementReading, transitionRun } from './import-run.ts';
import { groupBatchDetails, hasBooking, isBatchDetail, toBooked } from './promote-batch-details.ts';

/** How long before its booking a notification may list the payments of a batch. */
const detailDays = 31;
const batchSize = 250;

type DetailTarget = {
  merchant: Merchant;
  account: ReceivingAccount;
  openFile: (statement: Statement) => Promise<StatementReading>;
};

/**
 * Records the payments in the batch bookings of a statement that an earlier notification, or an earlier file
 * of the same archive, listed as information. They belong to the notification, whose result counts change.
 */
export async function applyEarlierDetails(
  service: Service,
  run: ImportRun,
  { merchant, account, openFile }: DetailTarget,
): Promise<void> {
  for (const { id, references } of await findDetailStatements(service, run.statement)) {
    const notification = await service.prisma.statement.findUniqueOrThrow({ where: { id } });
    const reading = await openFile(notification);
    const wanted = new Set(references);
    const toTransfer = createEntryConverter(account, { statementId: id, now: notification.createdAt });
    const isSaveDue = createProgressTimer();
    let position = 0;
    for await (const group of groupBatchDetails(reading.readEntries())) {
      position += 1;
      if (isSaveDue(position)) await transitionRun(service, run, 'running');
      const first = group[0]!;
      const isWanted = isBatchDetail(first) && wanted.has(first.batchReference!);
      if (!isWanted || !isOfFileAccount(first, notification.fileAccount)) continue;
      if (!(await hasBooking(service, account, group))) continue;
      const inputs = toBooked(group).map((entry: StatementEntry) => toTransfer(entry));
      for (let at = 0; at < inputs.length; at += batchSize)
        await recordDetails(service, run, {
          merchant,
          account,
          notification,
          inputs: inputs.slice(at, at + batchSize),
        });
    }
  }
}

/** Returns the recent statements of the bank account that list payments in the batch bookings of the given one. */
async function findDetailStatements(
  { prisma }: Db,
  { id, receivingAccountId, createdAt }: Statement,
): Promise<{ id: string; references: string[] }[]> {
  const accountIds = await readSharedIds({ prisma }, receivingAccountId);
  const since = new Date(createdAt.getTime() - detailDays * dayMs);
  return prisma.$queryRaw`
    SELECT s.id, array_agg(t.bank_reference) AS references
    FROM statement s CROSS JOIN LATERAL jsonb_array_elements_text(s.control -> 'detailBatches') AS batch (reference)
    JOIN transfer t ON t.receiving_account_id = ANY(${accountIds}) AND t.source = 'statement'
      AND t.bank_reference = batch.reference AND t.undone_at IS NULL
    WHERE s.receiving_account_id = ANY(${accountIds}) AND (s.id = ${id} OR s.status = 'completed')
      AND s.created_at >= ${since} AND s.control ? 'detailBatches'
      AND t.statement_id = ${id} AND t.direction = 'credit' AND t.status = 'exception' AND t.allocated = 0
    GROUP BY s.id ORDER BY s.id`;
}

/**
 * Records the details that are not recorded yet, and adds them to the result counts. An interrupted import
 * records the missing ones later, because the booking is an exception until all of its details are recorded.
 */
async function recordDetails(
  service: Service,
  run: ImportRun,
  details: {
    merchant: Merchant;
    account: ReceivingAccount;
    notification: Statement;
    inputs: TransferInput[];
  },
): Promise<void> {
  const { merchant, account, notification, inputs } = details;
  const systemNow = run.clock.now();
  const now = merchantNow(systemNow, merchant, account.mode);
  const isOwn = notification.id === run.statement.id;
  await transact(service, async (uow) => {
    await lockSharedIds(uow.tx, account);
    const locked = isOwn ? run.statement : await lockStatement(uow.tx, notification);
    if (!isOwn && locked.status !== 'completed') return;
    const recorded = await uow.tx.transfer.findMany({
      where: {
        statementId: notification.id,
        bankReference: { in: inputs.map((input) => input.bankReference) },
      },
      select: { bankReference: true },
    });
    const known = new Set(recorded.map(({ bankReference }) => bankReference));
    const context = { merchant, account, actor: notification.importedBy, now, systemNow };
    const results = await recordCredits(
      uow,
      context,
      inputs.filter(({ bankReference }) => !known.has(bankReference)),
    );
    const resultCounts: ImportCounts = getImportCounts(locked);
    for (const { status } of results.values()) {
      resultCounts[status] += 1;
      resultCounts.ignored -= 1;
    }
    if (!isOwn) await uow.tx.statement.update({ where: { id: notification.id }, data: { resultCounts } });
    const data = isOwn ? { resultCounts } : {};
    run.statement = await transitionStatement(uow, run.statement, 'running', { systemNow, data });
  });
}
