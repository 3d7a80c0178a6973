import { useState } from 'react';

/** A boolean that the browser stores, such as whether a part of a page is open. */
export function useStoredFlag(
  key: string,
  defaultValue: boolean,
): [value: boolean, set: (value: boolean) => void] {
  const [value, setValue] = useState(() => {
    const stored = localStorage.getItem(key);
    return stored === null ? defaultValue : stored === 'true';
  });
  const store = (next: boolean) => {
    localStorage.setItem(key, String(next));
    setValue(next);
  };
  return [value, store];
}
