/**
 * For choices of any length, which one finds by typing: the first that match are offered, so that a thousand open as fast
 * as ten.
 */
export const searchableSelectProps = {
  searchable: true,
  limit: 100,
  nothingFoundMessage: 'No matches',
} as const;
