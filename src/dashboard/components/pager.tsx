import { Button, Group } from '@mantine/core';
import { t } from '../language/texts.ts';
import type { Cursor, PageInfo } from './use-cursor.ts';

/** Buttons for the first, the previous and the next page; renders nothing if there is only one page. */
export function Pager({ cursor, pageInfo }: { cursor: Cursor; pageInfo: PageInfo }) {
  const { hasPreviousPage, hasNextPage } = pageInfo;
  if (!hasPreviousPage && !hasNextPage) return null;
  return (
    <Group component="nav" aria-label={t.components.pagination} justify="flex-end" gap="xs" px="lg" py="sm">
      {hasPreviousPage && (
        <>
          <Button variant="subtle" size="xs" onClick={cursor.showFirst}>
            {t.components.first}
          </Button>
          <Button variant="default" size="xs" onClick={() => cursor.showPrevious(pageInfo)}>
            {t.components.previous}
          </Button>
        </>
      )}
      <Button variant="default" size="xs" disabled={!hasNextPage} onClick={() => cursor.showNext(pageInfo)}>
        {t.components.next}
      </Button>
    </Group>
  );
}
