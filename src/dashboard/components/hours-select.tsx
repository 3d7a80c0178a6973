import { Select } from '@mantine/core';
import { hourMs } from '../../kit/duration.ts';
import { serverNow } from '../graphql/server-clock.ts';

/** When something begins or ends: so many hours from now, a choice each. For a dialog, of which it is the first field. */
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

/** So many hours from now, as the API takes a time. */
export function hoursFromNow(hours: string): string {
  return new Date(serverNow().getTime() + Number(hours) * hourMs).toISOString();
}
