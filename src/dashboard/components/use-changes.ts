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
  const readSaved = useRef<() => Input>(undefined);
  // A layout effect, because users may type before other effects run. The fields are only parsed when the form is
  // submitted, because the fields of a disabled form have no values.
  // biome-ignore lint/correctness/useExhaustiveDependencies: keeps the initial values.
  useLayoutEffect(() => {
    if (!form.current) return;
    const initialForm = new FormData(form.current);
    readSaved.current ??= () => read(initialForm);
  }, []);
  return {
    getChanges: (currentForm) => diffInput(readSaved.current?.() ?? ({} as Input), read(currentForm)),
    markSaved: (savedForm) => {
      const savedInput = read(savedForm);
      readSaved.current = () => savedInput;
    },
  };
}
