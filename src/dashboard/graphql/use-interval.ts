import { useEffect, useRef } from 'react';

/** Calls again and again, for what no live field tells of; null: not at all. A page that nobody sees rests. */
export function useInterval(everyMs: number | null, call: () => void): void {
  const latest = useRef(call);
  latest.current = call;
  useEffect(() => {
    if (everyMs === null) return;
    const timer = setInterval(() => {
      if (!document.hidden) latest.current();
    }, everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
}
