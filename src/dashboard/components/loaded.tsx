import { Skeleton, Stack } from '@mantine/core';
import { type ReactNode, useRef } from 'react';
import type { QueryState } from '../graphql/use-query-state.ts';
import { t } from '../language/texts.ts';
import { LoadError } from './load-error.tsx';

/**
 * Shows the data of a query, a skeleton until it is loaded, or the error. Earlier data stays visible during a
 * refresh and, if the refresh fails, below the error.
 */
export function Loaded<Data>(props: {
  query: Pick<QueryState<Data>, 'data' | 'error' | 'refresh'>;
  lines?: number;
  children: (data: Data) => ReactNode;
}) {
  const { lines = 4, children } = props;
  const { data, error, refresh } = props.query;
  const lastData = useRef(data);
  if (data !== undefined) lastData.current = data;
  const latestData = lastData.current;
  if (latestData === undefined && !error) return <LoadingSkeleton lines={lines} />;
  return (
    <>
      {error && <LoadError error={error} onRetry={refresh} />}
      {latestData !== undefined && children(latestData)}
    </>
  );
}

export function LoadingSkeleton({ lines }: { lines: number }) {
  return (
    <Stack gap="sm" p="lg" w="100%" aria-busy="true" aria-label={t.common.loading} role="status">
      {Array.from({ length: lines }, (_, line) => line).map((line) => (
        <Skeleton key={line} height={16} width={`${90 - (line % 3) * 15}%`} />
      ))}
    </Stack>
  );
}
