import { Select } from '@mantine/core';
import { hourMs } from '../../kit/duration.ts';
import { serverNow } from '../graphql/server-clock.ts';

/**
 * Selects a time as a number of hours from now. The select must be the first field of its dialog, because it
 * takes the focus.
 */
export function HoursSelect(props: {
  label: string;
  choices: readonly { value: string; label: string }[];
  hours: string;
  onChoose: (hours: string) => void;
}) {
  const { label, choices, hours, onChoose } = props;
  return (
    <Select
      label={label}
      allowDeselect={false}
      data={choices}
      value={hours}
      onChange={(value) => value !== null && onChoose(value)}
      comboboxProps={{ withinPortal: false }}
      data-autofocus
    />
  );
}

/** Returns the time that is `hours` from now, in API format. */
export function hoursFromNow(hours: string): string {
  return new Date(serverNow().getTime() + Number(hours) * hourMs).toISOString();
}
