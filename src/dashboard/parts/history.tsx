import { Text, Timeline } from '@mantine/core';
import { Moment } from './moment.tsx';

export type HistoryEntry = { id: string; at: string; text: string; by?: string };

/** What happened to something, in plain words, oldest first. */
export function History({ entries }: { entries: readonly HistoryEntry[] }) {
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
