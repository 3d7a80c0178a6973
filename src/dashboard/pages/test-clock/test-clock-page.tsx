import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { useInterval } from '../../graphql/use-interval.ts';
import { useRead } from '../../graphql/use-read.ts';
import { Empty } from '../../parts/empty.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Refused } from '../../parts/refused.tsx';
import { Section } from '../../parts/section.tsx';
import { useOutcome } from '../../parts/use-outcome.ts';
import { useMode } from '../../use-mode.ts';
import { useMay } from '../../viewer.ts';
import { AdvanceForm } from './advance-form.tsx';
import { ClockFace } from './clock-face.tsx';
import { advanceTestClockMutation, testClockQuery } from './test-clock-query.ts';

/** How often the clock is read while it is being moved. */
const refreshMs = 500;

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
              {isMoved && 'The clock was moved, and all that fell due has happened.'}
            </Text>
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
