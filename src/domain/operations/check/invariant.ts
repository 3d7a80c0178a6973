/**
 * A promise of the database. `sql` selects what breaks it; the first column names the row. No rows: the promise holds.
 */
export type Invariant = { name: string; promise: string; sql: string };

/** Since when rows of that kind are all there: what is older was pruned, or may be at any moment. */
export const retainedSince = (name: string): string =>
  `coalesce((SELECT pruned_to FROM prune_mark WHERE name = '${name}'), '-infinity')`;
