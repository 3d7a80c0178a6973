import { Group, Progress, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { dayMs } from '../../../kit/duration.ts';
import { formatMoment } from '../../format/moment.ts';
import { serverNow } from '../../graphql/server-clock.ts';
import type { TestClock } from './test-clock-query.ts';

/** The clock's time, going on; while it is being moved, how far it has come. */
export function ClockFace({ clock, isAdvancing }: { clock: TestClock; isAdvancing: boolean }) {
  return (
    <Stack gap="sm">
      <Time key={clock.now} start={clock.now} />
      {isAdvancing && <Moving clock={clock} />}
    </Stack>
  );
}

/** A time that goes on by the second from where the server said. */
function Time({ start }: { start: string }) {
  const [elapsed, setElapsed] = useState(0);
  useEffect(() => {
    const began = performance.now();
    const timer = setInterval(() => setElapsed(performance.now() - began), 1_000);
    return () => clearInterval(timer);
  }, []);
  const now = new Date(Date.parse(start) + elapsed);
  return (
    <div>
      <Text size="xl" fw={650}>
        <time dateTime={start}>{formatMoment(now.toISOString(), 'long')}</time>
      </Text>
      <Text size="sm" c="var(--causeway-muted)">
        {`${now.toISOString().slice(0, 16).replace('T', ' ')} UTC, ${aheadText(now)}`}
      </Text>
    </div>
  );
}

/** Where it began is what was shown when the moving was first seen. */
function Moving({ clock: { now, advancingTo } }: { clock: TestClock }) {
  const start = useRef(Date.parse(now));
  const end = advancingTo === null ? undefined : Date.parse(advancingTo);
  const share = end === undefined ? 0 : (Date.parse(now) - start.current) / Math.max(1, end - start.current);
  return (
    <Group gap="sm" role="status">
      <Progress
        value={Math.min(100, 100 * share)}
        aria-label="How far it has come"
        flex="1 1 12rem"
        animated
      />
      <Text size="sm">
        {advancingTo === null ? 'Moving' : `Moving to ${formatMoment(advancingTo, 'long')}`}
      </Text>
    </Group>
  );
}

const unit = new Intl.NumberFormat(undefined, { style: 'unit', unit: 'day', unitDisplay: 'long' });

function aheadText(now: Date): string {
  const days = Math.round((now.getTime() - serverNow().getTime()) / dayMs);
  return days < 1 ? 'about the real time' : `${unit.format(days)} ahead of the real time`;
}
