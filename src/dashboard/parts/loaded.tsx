import { Skeleton, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import type { CombinedError } from 'urql';
import { Failure } from './failure.tsx';

/** What a query answered, as soon as it has; until then its outline, or what went wrong. */
export function Loaded<Data>(props: {
  data: Data | undefined;
  error: CombinedError | undefined;
  onRetry: () => void;
  /** Lines of the outline. */
  lines?: number;
  children: (data: Data) => ReactNode;
}) {
  const { data, error, onRetry, lines = 4, children } = props;
  // What is shown is of the last time that it could be read.
  if (data !== undefined && error)
    return (
      <>
        <Failure error={error} onRetry={onRetry} />
        {children(data)}
      </>
    );
  if (data !== undefined) return children(data);
  if (error) return <Failure error={error} onRetry={onRetry} />;
  return (
    <Stack gap="sm" p="lg" aria-busy="true" aria-label="Loading" role="status">
      {Array.from({ length: lines }, (_, line) => line).map((line) => (
        <Skeleton key={line} height={16} width={`${90 - (line % 3) * 15}%`} />
      ))}
    </Stack>
  );
}
