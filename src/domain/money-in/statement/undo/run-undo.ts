import type { Statement } from '../../../../../prisma/client/client.ts';
import { transact } from '../../../../event/unit-of-work.ts';
import { merchantNow } from '../../../platform/clock/merchant-now.ts';
import type { Service } from '../../../platform/service.ts';
import { getMerchantTime, type ImportRun, transitionRun } from '../import/import-run.ts';
import { transitionStatement } from '../transition-statement.ts';
import { undoBatch } from './undo-batch.ts';

const batchSize = 250;

/**
 * Undoes a claimed statement in batches, the newest transfer first, each in one transaction with the progress. Any
 * process can continue an interrupted undo, because undone transfers are marked. Returns the statement: `undone`,
 * or still `undoing` after an abort. Throws `LeaseLostError` if another process has taken over, and database errors.
 */
export async function runUndo(service: Service, run: ImportRun): Promise<Statement> {
  const { receivingAccount } = await service.prisma.statement.findUniqueOrThrow({
    where: { id: run.statement.id },
    include: { receivingAccount: { include: { merchant: true } } },
  });
  const { merchant, ...account } = receivingAccount;
  let last: string | undefined;
  for (;;) {
    const ids = await findNextIds(service, run.statement, last);
    if (ids.length === 0 && last === undefined) break;
    last = ids.at(-1);
    if (last === undefined) continue;
    const systemNow = run.clock.now();
    const context = {
      merchant,
      account,
      actor: run.statement.undoneBy ?? run.statement.importedBy,
      now: merchantNow(systemNow, merchant, account.mode),
      systemNow,
    };
    run.statement = await transact(service, async (uow) => {
      await undoBatch(uow, context, { statementId: run.statement.id, ids });
      return transitionStatement(uow, run.statement, 'undoing', {
        systemNow,
        isInterrupted: run.signal?.aborted ?? false,
        data: { undoneCount: run.statement.undoneCount + ids.length },
      });
    });
    run.onProgress?.(run.statement);
    if (run.signal?.aborted) return run.statement;
  }
  return transitionRun(service, run, 'undone', { undoneAt: await getMerchantTime(service, run) });
}

/**
 * Returns the IDs of the next batch, newest first, so that a reversal is undone before the credit that it
 * reverses.
 */
async function findNextIds({ prisma }: Service, { id }: Statement, last?: string): Promise<string[]> {
  const rows = await prisma.transfer.findMany({
    where: { statementId: id, undoneAt: null, ...(last !== undefined && { id: { lt: last } }) },
    orderBy: { id: 'desc' },
    take: batchSize,
    select: { id: true },
  });
  return rows.map((row) => row.id);
}
