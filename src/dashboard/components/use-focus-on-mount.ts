import { type RefObject, useEffect, useRef } from 'react';

/**
 * Focuses an element when it appears. Use it for content that replaces a form in an open dialog, because the
 * focus would be lost with the form.
 */
export function useFocusOnMount<FocusTarget extends HTMLElement>(): RefObject<FocusTarget | null> {
  const element = useRef<FocusTarget>(null);
  useEffect(() => element.current?.focus(), []);
  return element;
}
