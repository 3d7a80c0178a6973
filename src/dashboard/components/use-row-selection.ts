import { useCallback, useState } from 'react';

export type RowSelection<Row> = {
  /** The selected rows, with current data for those on the current page. */
  selected: readonly Row[];
  select: (row: Row, isSelected: boolean) => void;
  clear: () => void;
};

/** Manages a selection of rows, which survives page changes and failed reloads. */
export function useRowSelection<Row extends { id: string }>(
  currentRows: readonly Row[] = [],
): RowSelection<Row> {
  const [selectedRows, setSelectedRows] = useState<ReadonlyMap<string, Row>>(new Map());
  const select = useCallback((row: Row, isSelected: boolean) => {
    setSelectedRows((previous) => {
      const next = new Map(previous);
      if (isSelected) next.set(row.id, row);
      else next.delete(row.id);
      return next;
    });
  }, []);
  const clear = useCallback(() => setSelectedRows(new Map()), []);
  const selected = [...selectedRows.values()].map(
    (row) => currentRows.find(({ id }) => id === row.id) ?? row,
  );
  return { selected, select, clear };
}
