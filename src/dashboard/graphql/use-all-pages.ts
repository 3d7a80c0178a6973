import { useCallback, useEffect, useState } from 'react';
import { type CombinedError, type TypedDocumentNode, useClient } from 'urql';
import type { QueryState } from './use-query-state.ts';

type ListPage<Node> = {
  nodes: readonly Node[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
};

type PageQuery<Data> = TypedDocumentNode<Data, { after?: string | null }>;

/**
 * Loads all pages of a list. The data is undefined until the last page is loaded, so that selects never show
 * a partial list. `getPage` must be a stable function.
 */
export function useAllPages<Data, Node>(
  query: PageQuery<Data>,
  getPage: (data: Data) => ListPage<Node>,
): Omit<QueryState<readonly Node[]>, 'isCurrent'> {
  const client = useClient();
  const [refreshCount, setRefreshCount] = useState(0);
  const [{ data, error, loadedCount }, setState] = useState<{
    data?: readonly Node[];
    error?: CombinedError;
    loadedCount?: number;
  }>({});
  useEffect(() => {
    let isUnmounted = false;
    const read = async () => {
      const nodes: Node[] = [];
      for (let after: string | null = null, isLast = false; !isLast; ) {
        const result = await client.query(query, { after }).toPromise();
        if (isUnmounted) return;
        const { data: pageData, error: pageError } = result;
        if (pageError)
          return setState((previous) => ({ ...previous, error: pageError, loadedCount: refreshCount }));
        if (!pageData) throw new Error('a query returned neither data nor an error');
        const page = getPage(pageData);
        nodes.push(...page.nodes);
        after = page.pageInfo.endCursor;
        isLast = !page.pageInfo.hasNextPage;
      }
      setState({ data: nodes, loadedCount: refreshCount });
    };
    void read();
    return () => {
      isUnmounted = true;
    };
  }, [client, query, getPage, refreshCount]);
  const refresh = useCallback(() => setRefreshCount((previous) => previous + 1), []);
  return { data, error, isLoading: loadedCount !== refreshCount, refresh };
}
