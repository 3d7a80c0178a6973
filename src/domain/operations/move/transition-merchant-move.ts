import type { Merchant } from '../../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import { getMoveStep, type MoveStep, merchantMoveTransitions } from './merchant-move-state.ts';

const descriptions: Record<MoveStep, string> = {
  running: 'runs in this installation',
  pausing: 'is being paused',
  paused: 'is paused',
  moved: 'has moved to another installation',
  imported: 'was imported and is not active yet',
};

/** Throws an error for operators if the merchant is not in one of these steps. */
export function requireMoveStep(
  merchant: Pick<Merchant, 'id' | 'moveStatus'>,
  allowedSteps: readonly MoveStep[],
): void {
  const step = getMoveStep(merchant);
  if (!allowedSteps.includes(step))
    throw new Error(`The merchant ${merchant.id} ${descriptions[step]}: this command is not possible`);
}

/**
 * Changes the step of a merchant that the caller has locked. No other code writes it, except the import. Does not
 * change `updatedAt`, because the row must stay equal in both installations.
 */
export function transitionMerchantMove(
  { tx }: UnitOfWork,
  merchant: Merchant,
  to: MoveStep,
  data: Partial<Pick<Merchant, 'movedTo' | 'moveCodeHash' | 'moveCodeEncrypted'>> = {},
): Promise<Merchant> {
  const from = getMoveStep(merchant);
  if (!merchantMoveTransitions[from].includes(to)) requireMoveStep(merchant, []);
  const moveStatus = to === 'running' ? null : to;
  return tx.merchant.update({
    where: { id: merchant.id, moveStatus: merchant.moveStatus },
    data: { ...data, moveStatus },
  });
}
