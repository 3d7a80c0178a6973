import { setTimeout as delay } from 'node:timers/promises';
import type { Statement } from '../../../../prisma/client/client.ts';
import type { Clock } from '../../../kit/clock.ts';
import type { Service } from '../../platform/service.ts';
import { claimStatement } from './claim-statement.ts';
import { runImport } from './run-import.ts';
import { runUndo } from './run-undo.ts';
import { LeaseLostError } from './transition-statement.ts';

/** How often to check whether the worker has finished. */
const pollMs = 200;

/**
 * Imports or undoes a statement in this process until it has finished. If a worker claims it first, waits for the
 * worker. Returns the statement in its last status.
 */
export async function finishNow(
  service: Service,
  started: Statement,
  { clock, onProgress }: { clock: Clock; onProgress?: ((statement: Statement) => void) | undefined },
): Promise<Statement> {
  const { id } = started;
  let statement = started;
  while (['queued', 'running', 'undoing'].includes(statement.status)) {
    const claimed = await claimStatement(service, { id, systemNow: clock.now() });
    if (claimed) {
      try {
        const run = { statement: claimed, clock, onProgress };
        return claimed.status === 'undoing' ? await runUndo(service, run) : await runImport(service, run);
      } catch (error) {
        // Another process has taken over, or a user has cancelled the import.
        if (!(error instanceof LeaseLostError)) throw error;
      }
    }
    await delay(pollMs);
    statement = await service.prisma.statement.findUniqueOrThrow({ where: { id } });
    onProgress?.(statement);
  }
  return statement;
}
