import { useCallback, useState } from 'react';

type Picked<Row> = {
  /** As they stand now, as far as that is shown. */
  chosen: readonly Row[];
  choose: (row: Row, isChosen: boolean) => void;
  clear: () => void;
};

/** Rows that were picked from a list, and stay so on its other pages, and while it cannot be read. */
export function usePicked<Row extends { id: string }>(shown: readonly Row[] = []): Picked<Row> {
  const [picked, setPicked] = useState<ReadonlyMap<string, Row>>(new Map());
  const choose = useCallback((row: Row, isChosen: boolean) => {
    setPicked((before) => {
      const next = new Map(before);
      if (isChosen) next.set(row.id, row);
      else next.delete(row.id);
      return next;
    });
  }, []);
  const clear = useCallback(() => setPicked(new Map()), []);
  const chosen = [...picked.values()].map((row) => shown.find(({ id }) => id === row.id) ?? row);
  return { chosen, choose, clear };
}
