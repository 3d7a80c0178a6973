import type { Charge, ChargeStatus } from '../../../../prisma/client/client.ts';
import type { Tx } from '../../../kit/db.ts';

/** A charge with one of these statuses counts toward the limit of its checkout link. */
const usingStatuses: ReadonlySet<ChargeStatus> = new Set(['pending', 'completed']);

/**
 * Updates the `uses` of checkout links for charges that change status, in the same transaction. A charge that
 * is paid after it ended counts again, even beyond the limit, because the money has arrived.
 */
export async function countLinkUses(
  tx: Tx,
  transitions: readonly { charge: Charge; to: ChargeStatus }[],
): Promise<void> {
  const changes = new Map<string, number>();
  for (const { charge, to } of transitions) {
    const change = Number(usingStatuses.has(to)) - Number(usingStatuses.has(charge.status));
    if (charge.checkoutLinkId === null || change === 0) continue;
    changes.set(charge.checkoutLinkId, (changes.get(charge.checkoutLinkId) ?? 0) + change);
  }
  if (changes.size === 0) return;
  // Locks the links in the order of IDs, so that batches with common links do not deadlock.
  await tx.$executeRaw`
    UPDATE checkout_link SET uses = uses + locked.change FROM (
      SELECT link.id, input.change
      FROM unnest(${[...changes.keys()]}::text[], ${[...changes.values()]}::int[]) AS input (id, change)
      JOIN checkout_link link ON link.id = input.id ORDER BY link.id FOR UPDATE OF link) locked
    WHERE checkout_link.id = locked.id`;
}
