import { useCallback, useEffect, useState } from 'react';
import { type CombinedError, type TypedDocumentNode, useClient } from 'urql';
import type { Read } from './use-read.ts';

type Page<Node> = {
  nodes: readonly Node[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
};

type PageQuery<Data> = TypedDocumentNode<Data, { after?: string | null }>;

/**
 * Reads a list from its first page to its last, for choices among all of it. Undefined until the last page is there, so
 * that nothing is missed by who looks through it; `pageOf` is to be the same function at every call.
 */
export function useEvery<Data, Node>(
  query: PageQuery<Data>,
  pageOf: (data: Data) => Page<Node>,
): Read<readonly Node[]> {
  const client = useClient();
  const [round, setRound] = useState(0);
  const [{ data, error, readRound }, setState] = useState<{
    data?: readonly Node[];
    error?: CombinedError;
    readRound?: number;
  }>({});
  useEffect(() => {
    let isLeft = false;
    const read = async () => {
      const nodes: Node[] = [];
      for (let after: string | null = null, isLast = false; !isLast; ) {
        const answer = await client.query(query, { after }).toPromise();
        if (isLeft) return;
        const { data: answered, error: failure } = answer;
        if (failure) return setState((last) => ({ ...last, error: failure, readRound: round }));
        if (!answered) throw new Error('a query answered neither data nor an error');
        const page = pageOf(answered);
        nodes.push(...page.nodes);
        after = page.pageInfo.endCursor;
        isLast = !page.pageInfo.hasNextPage;
      }
      setState({ data: nodes, readRound: round });
    };
    void read();
    return () => {
      isLeft = true;
    };
  }, [client, query, pageOf, round]);
  const refresh = useCallback(() => setRound((last) => last + 1), []);
  return { data, error, isLoading: readRound !== round, refresh };
}
