import { Select } from '@mantine/core';
import { getTimeZoneOptions, type TimeZoneOption } from '../format/time-zones.ts';

/** One of the time zones; `first` stands before them, in place of the zone of its value. */
export function TimeZoneSelect(props: {
  description: string;
  zone: string;
  onChoose: (zone: string) => void;
  error: string | undefined;
  first?: TimeZoneOption;
  disabled?: boolean;
  maw?: number;
  /** Its list lies within the dialog, which would close where one clicks outside it. */
  isInDialog?: boolean;
}) {
  const { zone, onChoose, error, first, isInDialog = false, ...rest } = props;
  return (
    <Select
      label="Time zone"
      error={error}
      searchable
      allowDeselect={false}
      data={getTimeZoneOptions(zone, first)}
      value={zone}
      onChange={(value) => value !== null && onChoose(value)}
      limit={60}
      comboboxProps={{ withinPortal: !isInDialog }}
      {...rest}
    />
  );
}
