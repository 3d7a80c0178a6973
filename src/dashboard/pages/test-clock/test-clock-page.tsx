import { Button, Group, Progress, Stack, Text, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useMutation } from 'urql';
import { dayMs, minuteMs } from '../../../kit/duration.ts';
import { fillText } from '../../../language/fill-text.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { handleSubmit } from '../../components/form.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Section } from '../../components/section.tsx';
import { useFormState } from '../../components/use-form-state.ts';
import { pluralize } from '../../format/count.ts';
import { formatDuration } from '../../format/duration.ts';
import { formatMoment } from '../../format/moment.ts';
import { userErrorFields } from '../../graphql/errors.ts';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { serverNow } from '../../graphql/server-clock.ts';
import { useInterval } from '../../graphql/use-interval.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { t } from '../../language/texts.ts';
import { useMode } from '../../use-mode.ts';
import { useHasPermission } from '../../viewer.ts';

/** The polling interval while the clock advances. */
const refreshMs = 500;

export default function TestClockPage() {
  const { mode, setMode } = useMode();
  return (
    <>
      <PageHeader title={t.common.testClock} text={t.testClock.moveSandboxTimeForward} />
      <Section title={t.testClock.sandboxTime}>
        {mode === 'sandbox' ? (
          <Clock />
        ) : (
          <EmptyState title={t.testClock.liveModeUsesReal}>
            <Button mt="sm" variant="default" onClick={() => setMode('sandbox')}>
              {t.components.switchToSandbox}
            </Button>
          </EmptyState>
        )}
      </Section>
    </>
  );
}

function Clock() {
  const canManage = useHasPermission('manage');
  const query = useCachedQuery(testClockQuery);
  const [advanceState, advance] = useMutation(advanceTestClockMutation);
  const { error, handleResult, clearErrors } = useFormState();
  const [isAdvanced, setAdvanced] = useState(false);
  const isAdvancing = advanceState.fetching || query.data?.testClock?.isAdvancing === true;
  useInterval(isAdvancing ? refreshMs : null, query.refresh);
  const advanceTo = async (to: Date) => {
    clearErrors();
    setAdvanced(false);
    setAdvanced(handleResult(await advance({ input: { advanceTo: to.toISOString() } })));
    query.refresh();
  };
  return (
    <Loaded query={query} lines={3}>
      {({ testClock }) =>
        testClock && (
          <>
            <ClockFace clock={testClock} isAdvancing={isAdvancing} />
            <ErrorAlert text={error} />
            <Text role="status" mt={isAdvanced ? 'md' : 0}>
              {isAdvanced && t.testClock.theClockWasMoved}
            </Text>
            {canManage ? (
              <AdvanceForm clock={testClock} isBusy={isAdvancing} onAdvance={advanceTo} />
            ) : (
              <Text mt="md" c="var(--causeway-muted)" size="sm">
                {t.testClock.whoCanMove}
              </Text>
            )}
          </>
        )
      }
    </Loaded>
  );
}

const steps: [label: string, step: ClockStep][] = [
  [t.testClock.day, { days: 1 }],
  [t.testClock.week, { days: 7 }],
  [t.testClock.month, { months: 1 }],
  [t.testClock.year, { months: 12 }],
];

/**
 * A form to advance the clock by a step or to a time. The form does not ask for confirmation, although the clock
 * cannot go back: sandbox data is not real, and testing a subscription takes many steps.
 */
function AdvanceForm(props: { clock: TestClockDetails; isBusy: boolean; onAdvance: (to: Date) => void }) {
  const { clock, isBusy, onAdvance } = props;
  const now = new Date(clock.now);
  const [error, setError] = useState<string>();
  const submit = handleSubmit((form) => {
    const to = new Date(`${String(form.get('to'))}:00Z`);
    const isValid = !Number.isNaN(to.getTime());
    setError(isValid ? undefined : t.testClock.chooseADateAnd);
    if (isValid) onAdvance(to);
  });
  return (
    <Stack mt="lg">
      <Group gap="sm" role="group" aria-label={t.testClock.moveForwardBy}>
        <Text size="sm">{t.testClock.moveForwardBy}</Text>
        {steps.map(([label, step]) => (
          <Button
            key={label}
            variant="default"
            disabled={isBusy}
            onClick={() => onAdvance(addStep(now, step))}
          >
            {label}
          </Button>
        ))}
      </Group>
      <form onSubmit={submit}>
        <Group gap="sm" align="flex-end">
          <TextInput
            key={clock.now}
            label={t.testClock.moveToUtc}
            name="to"
            type="datetime-local"
            min={toUtcFieldTime(now)}
            defaultValue={toUtcFieldTime(addStep(now, { months: 1 }))}
            error={error}
            flex="0 1 16rem"
          />
          <Button type="submit" loading={isBusy}>
            {t.testClock.moveForward}
          </Button>
        </Group>
      </form>
      <Text size="sm" c="var(--causeway-muted)">
        {t.testClock.chargesAndSessionsExpire}
      </Text>
    </Stack>
  );
}

type ClockStep = { days: number } | { months: number };

/** Adds a step to a time, in UTC. A step of months keeps the day, or uses the last day of a shorter month. */
function addStep(time: Date, step: ClockStep): Date {
  if ('days' in step) return new Date(time.getTime() + step.days * dayMs);
  const result = new Date(time);
  result.setUTCMonth(time.getUTCMonth() + step.months, 1);
  const lastDay = new Date(Date.UTC(result.getUTCFullYear(), result.getUTCMonth() + 1, 0)).getUTCDate();
  result.setUTCDate(Math.min(time.getUTCDate(), lastDay));
  return result;
}

/** Formats a time for a `datetime-local` field, in UTC: `2027-01-31T12:00`. */
function toUtcFieldTime(time: Date): string {
  return time.toISOString().slice(0, 16);
}

function ClockFace({ clock, isAdvancing }: { clock: TestClockDetails; isAdvancing: boolean }) {
  return (
    <Stack gap="sm">
      <RunningTime key={clock.now} start={clock.now} />
      {isAdvancing && <AdvanceProgress clock={clock} />}
    </Stack>
  );
}

/** Shows the time of the clock, which continues from the last value of the server. */
function RunningTime({ start }: { start: string }) {
  const [elapsed, setElapsed] = useState(0);
  useEffect(() => {
    const startedAt = performance.now();
    const timer = setInterval(() => setElapsed(performance.now() - startedAt), 1_000);
    return () => clearInterval(timer);
  }, []);
  const now = new Date(Date.parse(start) + elapsed);
  return (
    <div>
      <Text size="xl" fw={650}>
        <time dateTime={start}>{formatMoment(now.toISOString(), 'long')}</time>
      </Text>
      <Text size="sm" c="var(--causeway-muted)">
        {formatUtc(now)}
      </Text>
    </div>
  );
}

/** Shows the progress from the clock's time at which this component was mounted. */
function AdvanceProgress({ clock: { now, advancingTo } }: { clock: TestClockDetails }) {
  const start = useRef(Date.parse(now));
  const end = advancingTo === null ? undefined : Date.parse(advancingTo);
  const progress =
    end === undefined ? 0 : (Date.parse(now) - start.current) / Math.max(1, end - start.current);
  return (
    <Group gap="sm" role="status">
      <Progress
        value={Math.min(100, 100 * progress)}
        aria-label={t.testClock.progress}
        flex="1 1 12rem"
        animated
      />
      <Text size="sm">
        {advancingTo === null
          ? t.testClock.moving
          : fillText(t.testClock.movingTo, { advancingTo: formatMoment(advancingTo, 'long') })}
      </Text>
    </Group>
  );
}

/** Formats a time in UTC, with the hours or days by which it is ahead of real time. */
function formatUtc(now: Date): string {
  const time = now.toISOString().slice(0, 16).replace('T', ' ');
  const aheadMs = now.getTime() - serverNow().getTime();
  if (aheadMs < minuteMs) return fillText(t.testClock.utcLikeRealTime, { time });
  return aheadMs < dayMs
    ? fillText(t.testClock.aheadOfRealTimeBy, { time, duration: formatDuration(aheadMs / 1000) })
    : pluralize(Math.round(aheadMs / dayMs), t.testClock.aheadOfRealTime, { time });
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

type TestClockDetails = NonNullable<ResultOf<typeof testClockQuery>['testClock']>;

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
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);
