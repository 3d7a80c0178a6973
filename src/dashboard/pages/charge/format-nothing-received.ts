import { t } from '../../language/texts.ts';

/** The reasons for which a charge that ended releases its part payments. */
const releaseReasons: ReadonlySet<string> = new Set(['charge_expired', 'charge_cancelled']);

type UnpaidCharge = { status: string; allocations: readonly { reason: string }[] | null };

/** Explains why no amount is applied to a charge. */
export function formatNothingReceived({ status, allocations }: UnpaidCharge): string {
  // A reversed, unassigned or released allocation stays in the list next to its reversal.
  if (allocations?.some(({ reason }) => releaseReasons.has(reason))) return t.charge.nothingThePaymentWas;
  if (allocations?.length) return t.charge.nothingThePaymentWasReversed;
  return status === 'completed' ? t.charge.completedManuallyWithoutA : t.charge.nothingYet;
}
