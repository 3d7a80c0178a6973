import type { ReactNode } from 'react';
import { Pager } from './pager.tsx';
import type { Cursor, PageInfo } from './use-cursor.ts';

export function Paged<Row>(props: {
  page: { nodes: readonly Row[]; pageInfo: PageInfo };
  cursor: Cursor;
  empty: ReactNode;
  children: (rows: readonly Row[]) => ReactNode;
}) {
  const { page, cursor, empty, children } = props;
  return (
    <>
      {page.nodes.length > 0 ? children(page.nodes) : empty}
      <Pager cursor={cursor} pageInfo={page.pageInfo} />
    </>
  );
}
