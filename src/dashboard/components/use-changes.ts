import { type RefObject, useLayoutEffect, useRef } from 'react';

/** Returns the properties of `after` that differ from `before`. */
export function diffInput<Input extends object>(before: Input, after: Input): Partial<Input> {
  const isChanged = ([name, value]: [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify(before[name as keyof Input]);
  return Object.fromEntries(Object.entries(after).filter(isChanged)) as Partial<Input>;
}

/**
 * Tracks the changes in a form, because other users may edit the same object at the same time. `getChanges` returns
 * only the properties that differ from the initial or last saved form. Sending all properties would revert the
 * changes of other users.
 */
export function useChanges<Input extends object>(
  form: RefObject<HTMLFormElement | null>,
  read: (form: FormData) => Input,
): { getChanges: (form: FormData) => Partial<Input>; markSaved: (form: FormData) => void } {
  const savedInput = useRef<Input>(undefined);
  // A layout effect, because users may type before other effects run.
  // biome-ignore lint/correctness/useExhaustiveDependencies: reads the initial values once.
  useLayoutEffect(() => {
    if (form.current) savedInput.current ??= read(new FormData(form.current));
  }, []);
  return {
    getChanges: (currentForm) => diffInput(savedInput.current ?? ({} as Input), read(currentForm)),
    markSaved: (savedForm) => {
      savedInput.current = read(savedForm);
    },
  };
}
