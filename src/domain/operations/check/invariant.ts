/**
 * A condition that the database must always satisfy. `sql` selects the rows that violate it; the first column
 * identifies the row.
 */
export type Invariant = { name: string; promise: string; sql: string };

/** Returns SQL for the time since which all rows of a kind are retained; older rows may have been pruned. */
export const retainedSince = (name: string): string =>
  `coalesce((SELECT pruned_to FROM retention_watermark WHERE name = '${name}'), '-infinity')`;
