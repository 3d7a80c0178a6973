import type { Tx } from '../kit/db.ts';

/**
 * Records the time up to which rows were pruned. The watermark never moves back, although the clocks of processes
 * differ.
 */
export async function advanceWatermark(
  tx: Tx,
  name: 'event' | 'notification',
  prunedTo: Date,
): Promise<void> {
  await tx.$executeRaw`INSERT INTO retention_watermark (name, pruned_to) VALUES (${name}, ${prunedTo})
    ON CONFLICT (name) DO UPDATE SET pruned_to = greatest(retention_watermark.pruned_to, excluded.pruned_to)`;
}
