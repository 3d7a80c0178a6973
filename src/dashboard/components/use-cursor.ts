import { useCallback } from 'react';
import { useSearchParams } from 'wouter';
import { graphql, type ResultOf } from '../graphql/graphql.ts';

const pageSize = 25;

/** The page information that a {@link useCursor} list needs. */
export const pageInfoFields = graphql(`
  fragment PageInfo on PageInfo {
    hasNextPage
    startCursor
    endCursor
  }
`);

export type PageInfo = ResultOf<typeof pageInfoFields>;

/** Returns the position in a list, which is stored in the URL: the query variables, and functions to move. */
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
    /** Only the first page shows new objects, at its top. */
    isFirst: after === null && before === null,
    showOlder: ({ endCursor }: PageInfo) => setCursor({ after: endCursor }),
    showNewer: ({ startCursor }: PageInfo) => setCursor({ before: startCursor }),
    showNewest: () => setCursor({}),
  };
}

export type Cursor = ReturnType<typeof useCursor>;
