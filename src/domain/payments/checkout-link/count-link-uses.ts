import type { Charge, ChargeStatus } from '../../../../prisma/client/client.ts';
import type { Tx } from '../../../kit/db.ts';

/** Charges that use a checkout link: those that can still be paid, and those that were. */
const usingStatuses: ReadonlySet<ChargeStatus> = new Set(['pending', 'completed']);

/**
 * Keeps the uses of checkout links equal to their open and paid charges, in the transaction that moves the charges. A
 * charge that is paid after it ended counts again, even where that exceeds the limit: the money has arrived.
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
  // Locked in the order of their ids, so that batches that share links do not deadlock.
  await tx.$executeRaw`
    UPDATE checkout_link SET uses = uses + locked.change FROM (
      SELECT link.id, input.change
      FROM unnest(${[...changes.keys()]}::text[], ${[...changes.values()]}::int[]) AS input (id, change)
      JOIN checkout_link link ON link.id = input.id ORDER BY link.id FOR UPDATE OF link) locked
    WHERE checkout_link.id = locked.id`;
}
