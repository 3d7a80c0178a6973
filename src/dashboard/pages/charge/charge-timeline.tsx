import { eventEntry } from '../../components/event-entry.ts';
import { History, type HistoryEntry } from '../../components/history.tsx';
import { formatAmount, isNegative } from '../../format/amount.ts';
import { reasonText } from '../../format/words.ts';
import { useViewer } from '../../viewer.ts';
import { refundHistory } from '../refund/refund-history.ts';
import type { ChargeDetails } from './charge-query.ts';

/** What happened to the charge, in plain words, oldest first. */
export function ChargeTimeline({ charge }: { charge: ChargeDetails }) {
  const { user } = useViewer();
  const happened = [...events(charge, user.id), ...corrections(charge), ...refunds(charge, user.id)];
  const entries = happened.sort((one, other) => one.at.localeCompare(other.at));
  return <History entries={[...entries, ...waiting(charge)]} />;
}

/** All but `charge_completed`, which comes with the CHARGE_COMPLETE of a subscription's charge and says the same. */
function events(charge: ChargeDetails, viewerId: string): HistoryEntry[] {
  const told = charge.events.filter(({ message }) => message !== 'charge_completed');
  return told.map((event) => eventEntry(event, viewerId));
}

/** Money that was counted and then taken back has no event of its own. */
function corrections(charge: ChargeDetails): HistoryEntry[] {
  return charge.allocations
    .filter(({ amount }) => isNegative(amount))
    .map(({ id, amount, reason, createdAt, transfer }) => ({
      id,
      at: createdAt,
      text: `${formatAmount(amount.replace('-', ''), transfer.currency)} released: ${reasonText(reason)}`,
    }));
}

function refunds(charge: ChargeDetails, viewerId: string): HistoryEntry[] {
  return charge.refunds.flatMap((refund) => {
    const amount = formatAmount(refund.customerAmount, refund.customerCurrency);
    return refundHistory(refund.events, viewerId).map((entry) => ({
      ...entry,
      text: `Refund of ${amount}: ${entry.text.charAt(0).toLowerCase()}${entry.text.slice(1)}`,
    }));
  });
}

function waiting(charge: ChargeDetails): HistoryEntry[] {
  if (charge.status !== 'pending') return [];
  const text = 'Waiting for payment, expires';
  return [{ id: 'waiting', at: charge.expiresAt, text, isAhead: true }];
}
