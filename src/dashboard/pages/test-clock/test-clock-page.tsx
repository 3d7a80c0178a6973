import { Button, Group, Progress, Stack, Text, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useMutation } from 'urql';
import { dayMs } from '../../../kit/duration.ts';
import { Empty } from '../../components/empty.tsx';
import { sent } from '../../components/form.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Refused } from '../../components/refused.tsx';
import { Section } from '../../components/section.tsx';
import { useOutcome } from '../../components/use-outcome.ts';
import { formatMoment } from '../../format/moment.ts';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { refusalFields } from '../../graphql/refusal.ts';
import { serverNow } from '../../graphql/server-clock.ts';
import { useInterval } from '../../graphql/use-interval.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useMode } from '../../use-mode.ts';
import { useMay } from '../../viewer.ts';

/** How often the clock is read while it is being moved. */
const refreshMs = 500;

/** The sandbox’s time, and how to move it forward. */
export default function TestClockPage() {
  const { mode, setMode } = useMode();
  return (
    <>
      <PageHeader
        title="Test clock"
        text="Move sandbox time forward to trigger renewals, expiries and invoices."
      />
      <Section title="Sandbox time">
        {mode === 'sandbox' ? (
          <Clock />
        ) : (
          <Empty title="Live mode uses real time">
            <Button mt="sm" variant="default" onClick={() => setMode('sandbox')}>
              Switch to sandbox
            </Button>
          </Empty>
        )}
      </Section>
    </>
  );
}

function Clock() {
  const mayManage = useMay('manage');
  const read = useRead(testClockQuery);
  const [moving, advance] = useMutation(advanceTestClockMutation);
  const { refusal, take, say } = useOutcome();
  const [isMoved, setMoved] = useState(false);
  const isAdvancing = moving.fetching || read.data?.testClock?.isAdvancing === true;
  useInterval(isAdvancing ? refreshMs : null, read.refresh);
  const move = async (to: Date) => {
    say();
    setMoved(false);
    setMoved(take(await advance({ input: { to: to.toISOString() } })));
    read.refresh();
  };
  return (
    <Loaded read={read} lines={3}>
      {({ testClock }) =>
        testClock && (
          <>
            <ClockFace clock={testClock} isAdvancing={isAdvancing} />
            <Refused text={refusal} />
            <Text role="status" mt={isMoved ? 'md' : 0}>
              {isMoved && 'The clock was moved. Everything due until then has been processed.'}
            </Text>
            {mayManage ? (
              <AdvanceForm clock={testClock} isBusy={isAdvancing} onAdvance={move} />
            ) : (
              <Text mt="md" c="var(--causeway-muted)" size="sm">
                You need the “manage” permission to move the clock.
              </Text>
            )}
          </>
        )
      }
    </Loaded>
  );
}

const spans: [label: string, span: Span][] = [
  ['1 day', { days: 1 }],
  ['1 week', { days: 7 }],
  ['1 month', { months: 1 }],
  ['1 year', { months: 12 }],
];

/**
 * Moves the clock by a span, or to a time. It does so without asking first, though there is no way back: nothing in the
 * sandbox is real, and who tries a subscription moves it many times in a row.
 */
function AdvanceForm(props: { clock: TestClock; isBusy: boolean; onAdvance: (to: Date) => void }) {
  const { clock, isBusy, onAdvance } = props;
  const now = new Date(clock.now);
  const [fault, setFault] = useState<string>();
  const submit = sent((form) => {
    const to = new Date(`${String(form.get('to'))}:00Z`);
    const isValid = !Number.isNaN(to.getTime());
    setFault(isValid ? undefined : 'Choose a date and time');
    if (isValid) onAdvance(to);
  });
  return (
    <Stack mt="lg">
      <Group gap="sm" role="group" aria-label="Move forward by">
        <Text size="sm">Move forward by</Text>
        {spans.map(([label, span]) => (
          <Button key={label} variant="default" disabled={isBusy} onClick={() => onAdvance(later(now, span))}>
            {label}
          </Button>
        ))}
      </Group>
      <form onSubmit={submit}>
        <Group gap="sm" align="flex-end">
          <TextInput
            key={clock.now}
            label="Move to (UTC)"
            name="to"
            type="datetime-local"
            min={fieldText(now)}
            defaultValue={fieldText(later(now, { months: 1 }))}
            error={fault}
            flex="0 1 16rem"
          />
          <Button type="submit" loading={isBusy}>
            Move forward
          </Button>
        </Group>
      </form>
      <Text size="sm" c="var(--causeway-muted)">
        Charges and sessions expire, invoices are created, and subscriptions renew or pause, in order and each
        at its own time. Notifications, emails and sign-in use real time. The clock cannot be moved back.
      </Text>
    </Stack>
  );
}

/** A span by which the clock is moved. */
type Span = { days: number } | { months: number };

/** So much later, in UTC; a month leads to the same day, or to the last one of a shorter month. */
function later(time: Date, span: Span): Date {
  if ('days' in span) return new Date(time.getTime() + span.days * dayMs);
  const moved = new Date(time);
  moved.setUTCMonth(time.getUTCMonth() + span.months, 1);
  const days = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate();
  moved.setUTCDate(Math.min(time.getUTCDate(), days));
  return moved;
}

/** `2027-01-31T12:00`, as a field for a time takes it, in UTC. */
function fieldText(time: Date): string {
  return time.toISOString().slice(0, 16);
}

/** The clock's time, going on; while it is being moved, how far it has come. */
function ClockFace({ clock, isAdvancing }: { clock: TestClock; isAdvancing: boolean }) {
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
      <Progress value={Math.min(100, 100 * share)} aria-label="Progress" flex="1 1 12rem" animated />
      <Text size="sm">
        {advancingTo === null ? 'Moving' : `Moving to ${formatMoment(advancingTo, 'long')}`}
      </Text>
    </Group>
  );
}

const unit = new Intl.NumberFormat(undefined, { style: 'unit', unit: 'day', unitDisplay: 'long' });

function aheadText(now: Date): string {
  const days = Math.round((now.getTime() - serverNow().getTime()) / dayMs);
  return days < 1 ? 'about real time' : `${unit.format(days)} ahead of real time`;
}

const testClockQuery = graphql(`
  query TestClock {
    testClock {
      id
      now
      isAdvancing
      advancingTo
    }
  }
`);

type TestClock = NonNullable<ResultOf<typeof testClockQuery>['testClock']>;

const advanceTestClockMutation = graphql(
  `
    mutation AdvanceTestClock($input: AdvanceTestClockInput!) {
      advanceTestClock(input: $input) {
        __typename
        ... on AdvanceTestClockSuccess {
          testClock {
            id
            now
            isAdvancing
            advancingTo
          }
        }
        ...Refusal
      }
    }
  `,
  [refusalFields],
);
