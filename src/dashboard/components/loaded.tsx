import { Skeleton, Stack } from '@mantine/core';
import { type ReactNode, useRef } from 'react';
import type { Read } from '../graphql/use-read.ts';
import { Failure } from './failure.tsx';

/**
 * What a query answered, as soon as it has; until then its outline, or what went wrong. What was shown before stays while
 * it is read again, and when that fails, with the failure above it.
 */
export function Loaded<Data>(props: {
  read: Pick<Read<Data>, 'data' | 'error' | 'refresh'>;
  /** Lines of the outline. */
  lines?: number;
  children: (data: Data) => ReactNode;
}) {
  const { lines = 4, children } = props;
  const { data, error, refresh } = props.read;
  const last = useRef(data);
  if (data !== undefined) last.current = data;
  const shown = last.current;
  if (shown === undefined && !error) return <Outline lines={lines} />;
  return (
    <>
      {error && <Failure error={error} onRetry={refresh} />}
      {shown !== undefined && children(shown)}
    </>
  );
}

function Outline({ lines }: { lines: number }) {
  return (
    <Stack gap="sm" p="lg" aria-busy="true" aria-label="Loading" role="status">
      {Array.from({ length: lines }, (_, line) => line).map((line) => (
        <Skeleton key={line} height={16} width={`${90 - (line % 3) * 15}%`} />
      ))}
    </Stack>
  );
}
