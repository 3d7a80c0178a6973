import { useEffect, useRef } from 'react';

/** Calls `callback` at an interval, for data without live updates. Null, or a hidden page, pauses the calls. */
export function useInterval(intervalMs: number | null, callback: () => void): void {
  const latest = useRef(callback);
  latest.current = callback;
  useEffect(() => {
    if (intervalMs === null) return;
    const timer = setInterval(() => {
      if (!document.hidden) latest.current();
    }, intervalMs);
    return () => clearInterval(timer);
  }, [intervalMs]);
}
