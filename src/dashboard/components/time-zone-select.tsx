import { Select } from '@mantine/core';
import { getTimeZoneOptions, type TimeZoneOption } from '../format/time-zones.ts';
import { t } from '../language/texts.ts';

/** Selects a time zone. `firstOption` is an additional option that replaces the zone with the same value. */
export function TimeZoneSelect(props: {
  description: string;
  zone: string;
  onChoose: (zone: string) => void;
  error: string | undefined;
  firstOption?: TimeZoneOption;
  disabled?: boolean;
  maw?: number;
  /** Renders the options within the dialog, which closes on clicks outside it. */
  isInDialog?: boolean;
}) {
  const { zone, onChoose, error, firstOption, isInDialog = false, ...rest } = props;
  return (
    <Select
      label={t.components.timeZone}
      name="timeZone"
      error={error}
      searchable
      nothingFoundMessage={t.components.noMatches}
      // Typing replaces the name of the selected zone.
      onFocus={(event) => event.currentTarget.select()}
      allowDeselect={false}
      data={getTimeZoneOptions(zone, firstOption)}
      value={zone}
      onChange={(value) => value !== null && onChoose(value)}
      limit={60}
      comboboxProps={{ withinPortal: !isInDialog }}
      {...rest}
    />
  );
}
