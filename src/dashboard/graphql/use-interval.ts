import { useEffect, useRef } from 'react';

/** Calls `call` at an interval, for data without live updates; null disables it. Hidden pages pause. */
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
