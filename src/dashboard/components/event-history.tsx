import { Stack, Text, Timeline } from '@mantine/core';
import type { ReactNode } from 'react';
import { Moment } from './moment.tsx';

export type HistoryEntry = {
  id: string;
  at: string;
  text: string;
  by?: string;
  isUpcoming?: boolean;
  more?: ReactNode;
};

/** Shows entries, which must be in chronological order. Upcoming entries at the end are not shown as reached. */
export function EventHistory({ entries }: { entries: readonly HistoryEntry[] }) {
  return (
    <Timeline active={entries.findLastIndex(({ isUpcoming }) => !isUpcoming)} bulletSize={14} lineWidth={2}>
      {entries.map((entry) => (
        <Timeline.Item
          key={entry.id}
          title={
            <Text size="sm" fw={600}>
              {entry.text}
            </Text>
          }
        >
          <Stack gap={4} align="flex-start">
            <Text size="sm" c="var(--causeway-muted)">
              <Moment at={entry.at} format="long" />
              {entry.by && ` · ${entry.by}`}
            </Text>
            {entry.more}
          </Stack>
        </Timeline.Item>
      ))}
    </Timeline>
  );
}
