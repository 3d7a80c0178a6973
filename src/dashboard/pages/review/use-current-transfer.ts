import { useEffect, useState } from 'react';
import { useSearchParams } from 'wouter';

export type TransferSelection = { currentId: string | null; setCurrentId: (id: string | null) => void };

/**
 * Returns the current transfer. Without a pane, its details replace the list, and the URL contains its ID, so that the
 * Back button of the browser returns to the list.
 */
export function useCurrentTransfer(hasPane: boolean): TransferSelection & { listPath: string } {
  const [paneId, setPaneId] = useState<string | null>(null);
  const [params, setParams] = useSearchParams();
  const openId = params.get('transfer');
  useEffect(() => {
    if (openId !== null) window.scrollTo(0, 0);
  }, [openId]);
  const listParams = new URLSearchParams(params);
  listParams.delete('transfer');
  const listPath = `/review?${listParams}`;
  if (hasPane) return { currentId: paneId, setCurrentId: setPaneId, listPath };
  const setOpenId = (id: string | null) =>
    setParams([...listParams, ...(id === null ? [] : [['transfer', id]])], { replace: openId !== null });
  return { currentId: openId, setCurrentId: setOpenId, listPath };
}
