import { Select } from '@mantine/core';
import { type ZoneOption, zoneOptions } from '../format/time-zones.ts';

/** One of the time zones; `first` stands before them, in place of the zone of its value. */
export function TimeZoneChoice(props: {
  description: string;
  zone: string;
  onChoose: (zone: string) => void;
  fault: string | undefined;
  first?: ZoneOption;
  disabled?: boolean;
  maw?: number;
  /** Its list lies within the dialog, which would close where one clicks outside it. */
  isInDialog?: boolean;
}) {
  const { zone, onChoose, fault, first, isInDialog = false, ...rest } = props;
  return (
    <Select
      label="Time zone"
      error={fault}
      searchable
      allowDeselect={false}
      data={zoneOptions(zone, first)}
      value={zone}
      onChange={(chosen) => chosen !== null && onChoose(chosen)}
      limit={60}
      comboboxProps={{ withinPortal: !isInDialog }}
      {...rest}
    />
  );
}
