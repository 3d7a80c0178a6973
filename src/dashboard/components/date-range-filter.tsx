import { Group, TextInput } from '@mantine/core';
import { isDay, nextDay } from '../format/days.ts';
import { startOfDay } from '../format/moment.ts';
import { t } from '../language/texts.ts';
import { useFilter } from './use-filter.ts';

/**
 * Returns the start of the first day and the end of the last day in the URL, in the display time zone; null for a
 * missing or invalid day.
 */
export function useDateRange(): { from: string | null; to: string | null } {
  const { getFilter } = useFilter();
  const [from, to] = [getFilter('from'), getFilter('to')];
  const end = isDay(to) ? startOfDay(nextDay(to)) : null;
  return {
    from: (isDay(from) && startOfDay(from)?.toISOString()) || null,
    to: end && new Date(end.getTime() - 1).toISOString(),
  };
}

export function DateRangeFilter({ fromLabel }: { fromLabel: string }) {
  const { getFilter, setFilters } = useFilter();
  const field = (name: 'from' | 'to', text: string) => (
    <TextInput
      type="date"
      label={text}
      // Remounts the field when the URL changes, because a partially typed day is not in the URL.
      key={`${name} ${getFilter(name)}`}
      defaultValue={getFilter(name) ?? ''}
      onBlur={({ currentTarget: { value } }) => {
        if (value !== (getFilter(name) ?? '') && (value === '' || isDay(value)))
          setFilters({ [name]: value });
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur();
      }}
    />
  );
  return (
    <Group gap="xs" align="flex-end">
      {field('from', fromLabel)}
      {field('to', t.components.rangeEnd)}
    </Group>
  );
}
