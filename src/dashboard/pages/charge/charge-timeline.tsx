import { Text, Timeline } from '@mantine/core';
import { formatAmount, isNegative } from '../../format/amount.ts';
import { actorText, eventText, reasonText } from '../../format/words.ts';
import { Moment } from '../../parts/moment.tsx';
import { useViewer } from '../../viewer.ts';
import type { ChargeDetails } from './charge-query.ts';

type Entry = { id: string; at: string; text: string; by?: string };

/** What happened to the charge, in plain words, oldest first. */
export function ChargeTimeline({ charge }: { charge: ChargeDetails }) {
  const { user } = useViewer();
  const entries = [...events(charge, user.id), ...corrections(charge), ...waiting(charge)];
  return (
    <Timeline active={entries.length} bulletSize={14} lineWidth={2}>
      {entries.map((entry) => (
        <Timeline.Item
          key={entry.id}
          title={
            <Text size="sm" fw={600}>
              {entry.text}
            </Text>
          }
        >
          <Text size="sm" c="var(--causeway-muted)">
            <Moment at={entry.at} form="long" />
            {entry.by && `, ${entry.by}`}
          </Text>
        </Timeline.Item>
      ))}
    </Timeline>
  );
}

function events(charge: ChargeDetails, viewerId: string): Entry[] {
  return charge.events.flatMap(({ id, message, actor, createdAt }) => {
    const text = eventText(message);
    return text === undefined
      ? []
      : [{ id, at: createdAt, text, by: actorText({ actor, message }, viewerId) }];
  });
}

/** Money that was counted and then taken back has no event of its own. */
function corrections(charge: ChargeDetails): Entry[] {
  return charge.allocations
    .filter(({ amount }) => isNegative(amount))
    .map(({ id, amount, reason, createdAt, transfer }) => ({
      id,
      at: createdAt,
      text: `${formatAmount(amount.replace('-', ''), transfer.currency)} no longer counts: ${reasonText(reason)}`,
    }));
}

function waiting(charge: ChargeDetails): Entry[] {
  if (charge.status !== 'pending') return [];
  return [{ id: 'waiting', at: charge.expiresAt, text: 'Waiting for the customer’s money until' }];
}
