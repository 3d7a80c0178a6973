import { useEffect, useRef } from 'react';

const everyMs = 1_000;

/** Reads again every second, for as long as an import goes on. */
export function useProgress(isUnderWay: boolean, reload: () => void): void {
  const latest = useRef(reload);
  latest.current = reload;
  useEffect(() => {
    if (!isUnderWay) return;
    const timer = setInterval(() => latest.current(), everyMs);
    return () => clearInterval(timer);
  }, [isUnderWay]);
}
