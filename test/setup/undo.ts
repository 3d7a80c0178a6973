import type { Statement } from '../../prisma/client/client.ts';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { claimStatement } from '../../src/domain/money-in/statement/transition-statement.ts';
import { runUndo } from '../../src/domain/money-in/statement/undo/run-undo.ts';
import { undoStatement } from '../../src/domain/money-in/statement/undo/undo-statement.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { noon } from './seed.ts';

export function startUndo(
  service: Service,
  { merchant }: NewMerchant,
  { id }: Pick<Statement, 'id'>,
): Promise<Statement> {
  return undoStatement(service, {
    merchantId: merchant.id,
    mode: 'live',
    id,
    audit: { actor: 'user:ada', now: noon },
  });
}

/** Undoes a statement completely, as a user and then a worker do. */
export async function undo(
  service: Service,
  merchant: NewMerchant,
  statement: Pick<Statement, 'id'>,
): Promise<Statement> {
  const { id } = await startUndo(service, merchant, statement);
  return finishUndo(service, { id });
}

/** Continues an undo in a worker until it has finished. */
export async function finishUndo(
  service: Service,
  { id, now = noon }: { id: string; now?: Date },
): Promise<Statement> {
  const claimed = await claimStatement(service, { id, systemNow: now });
  if (!claimed) throw new Error(`${id} cannot be claimed`);
  return runUndo(service, { statement: claimed, clock: { now: () => now } });
}
