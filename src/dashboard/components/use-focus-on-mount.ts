import { type RefObject, useEffect, useRef } from 'react';

/**
 * Gives an element the focus when it appears: for what takes the place of a form within an open dialog, where the focus
 * would be lost along with the form.
 */
export function useFocusOnMount<FocusTarget extends HTMLElement>(): RefObject<FocusTarget | null> {
  const element = useRef<FocusTarget>(null);
  useEffect(() => element.current?.focus(), []);
  return element;
}
