import { type RefObject, useEffect, useRef } from 'react';

/** Returns the members of `after` that differ from `before`. */
export function diffInput<Input extends object>(before: Input, after: Input): Partial<Input> {
  const isChanged = ([name, value]: [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify(before[name as keyof Input]);
  return Object.fromEntries(Object.entries(after).filter(isChanged)) as Partial<Input>;
}

/**
 * Tracks the changes of a form whose object other users may edit at the same time. `getChanges` returns only the
 * members that differ from the initial or last saved form. Sending all members would revert the changes of others.
 */
export function useChanges<Input extends object>(
  form: RefObject<HTMLFormElement | null>,
  read: (form: FormData) => Input,
): { getChanges: (form: FormData) => Partial<Input>; markSaved: (form: FormData) => void } {
  const savedInput = useRef<Input>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: reads the initial values once.
  useEffect(() => {
    if (form.current) savedInput.current ??= read(new FormData(form.current));
  }, []);
  return {
    getChanges: (now) => diffInput(savedInput.current ?? ({} as Input), read(now)),
    markSaved: (now) => {
      savedInput.current = read(now);
    },
  };
}
