import type { Merchant, MerchantMoveStatus } from '../../../../prisma/client/client.ts';

/** The step of a merchant's move between installations; `running` means that `moveStatus` is null. */
export type MoveStep = MerchantMoveStatus | 'running';

/** Allowed changes. An import starts with `imported`. A merchant that has moved never runs here again. */
export const merchantMoveTransitions: Record<MoveStep, readonly MoveStep[]> = {
  running: ['pausing'],
  pausing: ['paused', 'running'],
  paused: ['running', 'moved'],
  moved: [],
  imported: ['running'],
};

export function getMoveStep({ moveStatus }: Pick<Merchant, 'moveStatus'>): MoveStep {
  return moveStatus ?? 'running';
}
