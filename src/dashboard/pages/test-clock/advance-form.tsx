import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { sent } from '../../parts/form.tsx';
import { fieldText, later, type Span } from './later.ts';
import type { TestClock } from './test-clock-query.ts';

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
export function AdvanceForm(props: { clock: TestClock; isBusy: boolean; onAdvance: (to: Date) => void }) {
  const { clock, isBusy, onAdvance } = props;
  const now = new Date(clock.now);
  const [fault, setFault] = useState<string>();
  const submit = sent((form) => {
    const to = new Date(`${String(form.get('to'))}:00Z`);
    const isValid = !Number.isNaN(to.getTime());
    setFault(isValid ? undefined : 'Choose a date and a time');
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
            label="To a time (UTC)"
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
        Charges and sessions expire, invoices are made, subscriptions are renewed or paused: in order, each at
        its own time. Notifications, mails and sign-in go by the real time. The clock cannot be moved back.
      </Text>
    </Stack>
  );
}
