import { Select } from '@mantine/core';
import { t } from '../language/texts.ts';
import classes from './filter-bar.module.css';
import { useFilter } from './use-filter.ts';

/** Returns the query variable of the order that {@link OrderSelect} keeps in the URL. */
export function useOrder(): { reverse: boolean } {
  return { reverse: useFilter().getFilter('order') === 'oldest' };
}

export function OrderSelect() {
  const { setFilters } = useFilter();
  const { reverse } = useOrder();
  return (
    <Select
      label={t.components.sort}
      data={[
        { value: 'newest', label: t.components.newestFirst },
        { value: 'oldest', label: t.components.oldestFirst },
      ]}
      value={reverse ? 'oldest' : 'newest'}
      onChange={(value) => setFilters({ order: value === 'oldest' ? value : null })}
      allowDeselect={false}
      className={classes.choice}
    />
  );
}
