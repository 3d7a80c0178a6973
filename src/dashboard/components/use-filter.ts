import { useCallback } from 'react';
import { useSearchParams } from 'wouter';

/**
 * What a list is narrowed to, kept in the page's address, so that it can be linked to, survives a reload and is gone back
 * from. What is changed begins at the newest again.
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

/** One of the choices, as the address names it; null for a word that is none of them. */
export function findChoice<Value extends string>(
  name: string | null,
  choices: readonly { value: Value }[],
): Value | null {
  return choices.find(({ value }) => value === name)?.value ?? null;
}

/** The filter as the API takes it: without what nothing was chosen for. */
export function toFilter<Filter extends object>(
  values: {
    [Member in keyof Filter]?: Filter[Member] | null;
  },
): { filter: Filter; isFiltered: boolean } {
  const members = Object.entries(values).filter(([, value]) => value !== null && value !== undefined);
  return { filter: Object.fromEntries(members) as Filter, isFiltered: members.length > 0 };
}

/** For those members of a filter that take several values, of which one can be chosen here. */
export function toArray<Value>(value: Value | null): Value[] | null {
  return value === null ? null : [value];
}
