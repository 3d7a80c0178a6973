import { Select } from '@mantine/core';

const zones = Intl.supportedValuesOf('timeZone').map(zoneOption);

/** One of the time zones; `first` stands before them, in place of the zone of its value. */
export function TimeZoneChoice(props: {
  description: string;
  zone: string;
  onChoose: (zone: string) => void;
  fault: string | undefined;
  first?: { value: string; label: string };
  disabled?: boolean;
  maw?: number;
  /** Its list lies within the dialog, which would close where one clicks outside it. */
  isInDialog?: boolean;
}) {
  const { zone, onChoose, fault, first, isInDialog = false, ...rest } = props;
  const data = first ? [first, ...zones.filter(({ value }) => value !== first.value)] : zones;
  return (
    <Select
      label="Time zone"
      error={fault}
      searchable
      allowDeselect={false}
      data={data}
      value={zone}
      onChange={(chosen) => chosen !== null && onChoose(chosen)}
      limit={60}
      comboboxProps={{ withinPortal: !isInDialog }}
      {...rest}
    />
  );
}

function zoneOption(value: string): { value: string; label: string } {
  return { value, label: zoneText(value) };
}

/** `Asia/Hong_Kong` as people write it. */
export function zoneText(zone: string): string {
  return zone.replaceAll('_', ' ');
}
