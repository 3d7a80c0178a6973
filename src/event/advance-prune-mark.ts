import type { Tx } from '../kit/db.ts';

/** Writes down until when things were pruned; never back, as by a process whose clock is right after one that was ahead. */
export async function advancePruneMark(
  tx: Tx,
  name: 'event' | 'notification',
  prunedTo: Date,
): Promise<void> {
  await tx.$executeRaw`INSERT INTO prune_mark (name, pruned_to) VALUES (${name}, ${prunedTo})
    ON CONFLICT (name) DO UPDATE SET pruned_to = greatest(prune_mark.pruned_to, excluded.pruned_to)`;
}
