import { Select } from '@mantine/core';
import { hourMs } from '../../kit/duration.ts';
import { serverNow } from '../graphql/server-clock.ts';

/**
 * The select takes the focus, so it must be the first field of its dialog. Its values are numbers of hours from now.
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

export function hoursFromNow(hours: string): string {
  return new Date(serverNow().getTime() + Number(hours) * hourMs).toISOString();
}
