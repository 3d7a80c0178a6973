import { Button, Group } from '@mantine/core';
import type { Cursor, PageInfo } from './use-cursor.ts';

/** The ways to newer and older pages; nothing where all fits on one. */
export function Pager({ cursor, pageInfo }: { cursor: Cursor; pageInfo: PageInfo }) {
  // A page reached backwards knows only that there is something behind it.
  const hasNewer = !cursor.isFirst;
  const hasOlder = pageInfo.hasNextPage || 'before' in cursor.variables;
  if (!hasNewer && !hasOlder) return null;
  return (
    <Group component="nav" aria-label="Pagination" justify="flex-end" gap="xs" px="lg" py="sm">
      {hasNewer && (
        <>
          <Button variant="subtle" size="xs" onClick={cursor.showNewest}>
            First
          </Button>
          <Button variant="default" size="xs" onClick={() => cursor.showNewer(pageInfo)}>
            Previous
          </Button>
        </>
      )}
      <Button variant="default" size="xs" disabled={!hasOlder} onClick={() => cursor.showOlder(pageInfo)}>
        Next
      </Button>
    </Group>
  );
}
