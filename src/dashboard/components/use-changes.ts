import { type RefObject, useEffect, useRef } from 'react';

/** What says otherwise than before. */
export function diffInput<Input extends object>(before: Input, after: Input): Partial<Input> {
  const isChanged = ([name, value]: [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify(before[name as keyof Input]);
  return Object.fromEntries(Object.entries(after).filter(isChanged)) as Partial<Input>;
}

/**
 * For a form that changes what others may change too: of what `read` takes from it, only what differs from how it was when
 * the form was shown, or saved last. Sent whole, it would put their changes back.
 */
export function useChanges<Input extends object>(
  form: RefObject<HTMLFormElement | null>,
  read: (form: FormData) => Input,
): { getChanges: (form: FormData) => Partial<Input>; markSaved: (form: FormData) => void } {
  const savedInput = useRef<Input>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, of what the form begins with.
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
