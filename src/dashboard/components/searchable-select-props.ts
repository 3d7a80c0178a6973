import { t } from '../language/texts.ts';

/**
 * Props for a select with many choices. Users find a choice by typing; only the first matches are rendered, so
 * that a list of a thousand choices opens fast.
 */
export const searchableSelectProps = {
  searchable: true,
  limit: 100,
  nothingFoundMessage: t.components.noMatches,
} as const;
