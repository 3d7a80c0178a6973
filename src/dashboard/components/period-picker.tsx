import { Button, Group, TextInput } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { useSearchParams } from 'wouter';
import { addMonths, firstOfMonth, isDay, lastOfMonth, today } from '../format/days.ts';
import { t } from '../language/texts.ts';
import { useViewer } from '../viewer.ts';
import { type SelectedPeriod, updatePeriod } from './period.ts';

/** Returns the period from the URL; defaults to the current month. */
export function usePeriod(): [SelectedPeriod, (period: SelectedPeriod) => void] {
  const { merchant } = useViewer();
  const [params, setParams] = useSearchParams();
  const currentDay = today(merchant?.timeZone ?? 'UTC');
  const [from, to] = [params.get('from'), params.get('to')];
  const period =
    isDay(from) && isDay(to) && from <= to
      ? { from, to }
      : { from: firstOfMonth(currentDay), to: lastOfMonth(currentDay) };
  return [period, (newPeriod) => setParams(newPeriod)];
}

export function PeriodPicker({
  period,
  onChange,
  children,
}: {
  period: SelectedPeriod;
  onChange: (period: SelectedPeriod) => void;
  children?: ReactNode;
}) {
  const moveToMonth = (offset: number) => {
    const from = addMonths(period.from, offset);
    onChange({ from, to: lastOfMonth(from) });
  };
  return (
    <Group component="search" gap="sm" align="flex-end" mb="lg">
      <Group gap="xs">
        <Button variant="default" onClick={() => moveToMonth(-1)} aria-label={t.components.previousMonth}>
          ‹
        </Button>
        <Button variant="default" onClick={() => moveToMonth(1)} aria-label={t.components.nextMonth}>
          ›
        </Button>
      </Group>
      <Group gap="sm">
        <DayField label={t.components.rangeStart} end="from" period={period} onChange={onChange} />
        <DayField label={t.components.rangeEnd} end="to" period={period} onChange={onChange} />
      </Group>
      {children}
    </Group>
  );
}

/** The field for one end of the period. Valid input is applied immediately, or on blur if it moves the other end. */
function DayField(props: {
  label: string;
  end: keyof SelectedPeriod;
  period: SelectedPeriod;
  onChange: (period: SelectedPeriod) => void;
}) {
  const { label, end, period, onChange } = props;
  const value = period[end];
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const applyDay = (day: string, isBlurred: boolean) => {
    setText(day);
    const next = updatePeriod(period, { end, day, isBlurred });
    if (next) onChange(next);
    else if (isBlurred) setText(value);
  };
  return (
    <TextInput
      type="date"
      label={label}
      value={text}
      onChange={(event) => applyDay(event.currentTarget.value, false)}
      onBlur={() => applyDay(text, true)}
      onKeyDown={(event) => event.key === 'Enter' && applyDay(text, true)}
      w="9.5rem"
    />
  );
}
