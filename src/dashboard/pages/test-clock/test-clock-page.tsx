import { Button, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useMutation, useQuery } from 'urql';
import { refusalOf } from '../../graphql/refusal.ts';
import { Empty } from '../../parts/empty.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Section } from '../../parts/section.tsx';
import { useMode } from '../../use-mode.ts';
import { useMay } from '../../viewer.ts';
import { AdvanceForm } from './advance-form.tsx';
import { ClockFace } from './clock-face.tsx';
import { advanceTestClockMutation, testClockQuery } from './test-clock-query.ts';

/** How often the clock is read while it is being moved. */
const pollMs = 500;

/** The sandbox’s time, and how to move it forward. */
export default function TestClockPage() {
  const { mode, setMode } = useMode();
  return (
    <>
      <PageHeader
        title="Test clock"
        text="The sandbox has a time of its own, which you can move forward: what falls due on the way happens."
      />
      <Section title="Time of the sandbox">
        {mode === 'sandbox' ? (
          <Clock />
        ) : (
          <Empty title="Live mode goes by the real time">
            <Button mt="sm" variant="default" onClick={() => setMode('sandbox')}>
              Go to the sandbox
            </Button>
          </Empty>
        )}
      </Section>
    </>
  );
}

function Clock() {
  const mayManage = useMay('manage');
  const [{ data, error, fetching }, reload] = useQuery({ query: testClockQuery });
  const [moving, advance] = useMutation(advanceTestClockMutation);
  const [said, setSaid] = useState<{ text: string; isRefusal: boolean }>();
  const isAdvancing = moving.fetching || data?.testClock?.isAdvancing === true;
  // Read anew when it is over, too.
  usePolling(isAdvancing && !fetching, () => reload({ requestPolicy: 'network-only' }));
  const move = async (to: Date) => {
    setSaid(undefined);
    const refusal = refusalOf(await advance({ to: to.toISOString() }));
    setSaid(
      refusal === undefined
        ? { text: 'The clock was moved, and all that fell due has happened.', isRefusal: false }
        : { text: refusal, isRefusal: true },
    );
    reload({ requestPolicy: 'network-only' });
  };
  const refresh = () => reload({ requestPolicy: 'network-only' });
  return (
    <Loaded data={data} error={error} onRetry={refresh} lines={3}>
      {({ testClock }) =>
        testClock && (
          <>
            <ClockFace clock={testClock} isAdvancing={isAdvancing} />
            {said && (
              <Text role={said.isRefusal ? 'alert' : 'status'} c={said.isRefusal ? 'red' : 'inherit'} mt="md">
                {said.text}
              </Text>
            )}
            {mayManage ? (
              <AdvanceForm clock={testClock} isBusy={isAdvancing} onAdvance={move} />
            ) : (
              <Text mt="md" c="var(--causeway-muted)" size="sm">
                Somebody who may manage the set-up can move it.
              </Text>
            )}
          </>
        )
      }
    </Loaded>
  );
}

/** Calls once after each wait, for as long as it is wanted. */
function usePolling(isWanted: boolean, read: () => void): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is read is always the same.
  useEffect(() => {
    if (!isWanted) return;
    const timer = setTimeout(read, pollMs);
    return () => clearTimeout(timer);
  }, [isWanted]);
}
