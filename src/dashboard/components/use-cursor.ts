import { useCallback } from 'react';
import { useSearchParams } from 'wouter';
import { graphql, type ResultOf } from '../graphql/graphql.ts';

const pageSize = 25;

/** The page information that {@link useCursor} needs. */
export const pageInfoFields = graphql(`
  fragment PageInfo on PageInfo {
    hasNextPage
    hasPreviousPage
    startCursor
    endCursor
  }
`);

export type PageInfo = ResultOf<typeof pageInfoFields>;

/**
 * Keeps the position of a paged list in the query string of the URL. Returns the query variables, and functions
 * to change the position.
 */
export function useCursor() {
  const [params, setParams] = useSearchParams();
  const after = params.get('after');
  const before = params.get('before');
  const setCursor = useCallback(
    (cursor: Record<string, string | null>) =>
      setParams((current) => {
        const next = new URLSearchParams(current);
        next.delete('after');
        next.delete('before');
        for (const [name, value] of Object.entries(cursor)) if (value !== null) next.set(name, value);
        return next;
      }),
    [setParams],
  );
  return {
    variables: before === null ? { first: pageSize, after } : { last: pageSize, before },
    showNext: ({ endCursor }: PageInfo) => setCursor({ after: endCursor }),
    showPrevious: ({ startCursor }: PageInfo) => setCursor({ before: startCursor }),
    showFirst: () => setCursor({}),
  };
}

export type Cursor = ReturnType<typeof useCursor>;
