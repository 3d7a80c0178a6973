import { useCallback } from 'react';
import { useSearchParams } from 'wouter';

/**
 * Stores the filters of a list in the URL, for links, reloads and browser history. A change returns to the
 * first page.
 */
export function useFilter() {
  const [params, setParams] = useSearchParams();
  const setFilters = useCallback(
    (values: Record<string, string | null>) =>
      setParams((current) => {
        const next = new URLSearchParams(current);
        for (const key of ['after', 'before', ...Object.keys(values)]) next.delete(key);
        for (const [name, value] of Object.entries(values)) if (value) next.set(name, value);
        return next;
      }),
    [setParams],
  );
  return { getFilter: (name: string) => params.get(name) || null, setFilters };
}

/** Returns the choice with this URL value, or null if there is none. */
export function findChoice<Value extends string>(
  name: string | null,
  choices: readonly { value: Value }[],
): Value | null {
  return choices.find(({ value }) => value === name)?.value ?? null;
}

/** Returns the filter in API format, without unset fields. */
export function toFilter<Filter extends object>(
  values: {
    [Field in keyof Filter]?: Filter[Field] | null;
  },
): { filter: Filter; isFiltered: boolean } {
  const fields = Object.entries(values).filter(([, value]) => value !== null && value !== undefined);
  return { filter: Object.fromEntries(fields) as Filter, isFiltered: fields.length > 0 };
}

/** Returns a list of the single choice, for a filter field that accepts several values; null if there is none. */
export function toArray<Value>(value: Value | null): Value[] | null {
  return value === null ? null : [value];
}
