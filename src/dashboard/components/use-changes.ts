import { type RefObject, useEffect, useRef } from 'react';

/** What says otherwise than before. */
export function changesOf<Input extends object>(before: Input, now: Input): Partial<Input> {
  const isOther = ([name, value]: [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify(before[name as keyof Input]);
  return Object.fromEntries(Object.entries(now).filter(isOther)) as Partial<Input>;
}

/**
 * For a form that changes what others may change too: of what `read` takes from it, only what differs from how it was when
 * the form was shown, or saved last. Sent whole, it would put their changes back.
 */
export function useChanges<Input extends object>(
  form: RefObject<HTMLFormElement | null>,
  read: (form: FormData) => Input,
): { changesIn: (form: FormData) => Partial<Input>; saved: (form: FormData) => void } {
  const before = useRef<Input>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, of what the form begins with.
  useEffect(() => {
    if (form.current) before.current ??= read(new FormData(form.current));
  }, []);
  return {
    changesIn: (now) => changesOf(before.current ?? ({} as Input), read(now)),
    saved: (now) => {
      before.current = read(now);
    },
  };
}
