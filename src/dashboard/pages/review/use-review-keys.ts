import { useEffect, useRef } from 'react';

/** The actions of the keyboard shortcuts of the review. */
type ReviewKeys = Record<'j' | 'k' | 'x' | 'a' | 'e' | '/', () => void>;

/** Calls the action of a key, unless the user is typing or a dialog is open. */
export function useReviewKeys(keys: ReviewKeys): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const handle = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const action = latest.current[event.key.toLowerCase() as keyof ReviewKeys];
      if (!action) return;
      event.preventDefault();
      action();
    };
    document.addEventListener('keydown', handle);
    return () => document.removeEventListener('keydown', handle);
  }, []);
}

function isTyping(target: EventTarget | null): boolean {
  if (document.querySelector('[role="dialog"]')) return true;
  return (
    target instanceof HTMLElement &&
    target.matches('input:not([type="checkbox"]), textarea, select, [role="combobox"]')
  );
}
