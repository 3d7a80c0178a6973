import { Button, Group } from '@mantine/core';
import { t } from '../language/texts.ts';
import type { Cursor, PageInfo } from './use-cursor.ts';

/** Links to newer and older pages; renders nothing if there is only one page. */
export function Pager({ cursor, pageInfo }: { cursor: Cursor; pageInfo: PageInfo }) {
  // For a page loaded backwards, the API does not report `hasNextPage`, but an older page must exist.
  const hasNewer = !cursor.isFirst;
  const hasOlder = pageInfo.hasNextPage || 'before' in cursor.variables;
  if (!hasNewer && !hasOlder) return null;
  return (
    <Group component="nav" aria-label={t.components.pagination} justify="flex-end" gap="xs" px="lg" py="sm">
      {hasNewer && (
        <>
          <Button variant="subtle" size="xs" onClick={cursor.showNewest}>
            {t.components.first}
          </Button>
          <Button variant="default" size="xs" onClick={() => cursor.showNewer(pageInfo)}>
            {t.components.previous}
          </Button>
        </>
      )}
      <Button variant="default" size="xs" disabled={!hasOlder} onClick={() => cursor.showOlder(pageInfo)}>
        {t.components.next}
      </Button>
    </Group>
  );
}
