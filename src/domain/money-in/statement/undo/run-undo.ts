import type { Statement, Transfer } from '../../../../../prisma/client/client.ts';
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
    const page = await findNextPage(service, run.statement, last);
    if (page.length === 0 && last === undefined) break;
    last = page.at(-1)?.id;
    if (last === undefined) continue;
    const ids = await addReversalPairs(service, run.statement, page);
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

type PageRow = Pick<Transfer, 'id' | 'reversalOfId'>;

/** Returns the next transfers, newest first, so that a reversal is undone before the credit that it reverses. */
async function findNextPage({ prisma }: Service, { id }: Statement, last?: string): Promise<PageRow[]> {
  return prisma.transfer.findMany({
    where: { statementId: id, undoneAt: null, ...(last !== undefined && { id: { lt: last } }) },
    orderBy: { id: 'desc' },
    take: batchSize,
    select: { id: true, reversalOfId: true },
  });
}

/**
 * Returns the IDs of a batch: the page, the credits of the statement that it reverses, and the reversals of its
 * credits. Duplicates may take over from both, so neither may be linked to an undone transfer.
 */
async function addReversalPairs(
  { prisma }: Service,
  { id }: Statement,
  page: readonly PageRow[],
): Promise<string[]> {
  const ids = page.map((row) => row.id);
  const reversedIds = page.flatMap(({ reversalOfId }) => reversalOfId ?? []);
  const pairs = await prisma.transfer.findMany({
    where: {
      OR: [{ id: { in: reversedIds } }, { reversalOfId: { in: ids } }],
      statementId: id,
      undoneAt: null,
    },
    select: { id: true },
  });
  return [...new Set([...ids, ...pairs.map((pair) => pair.id)])];
}
