import { type RefObject, useEffect, useRef, useState } from 'react';
import { Unclear } from '../format/written-number.ts';
import { type Answered, type Faults, faultsOf, faultUnder, refusalOf } from '../graphql/refusal.ts';

/** What came of sending a form. */
export type Outcome = {
  /** For the form's element. */
  form: RefObject<HTMLFormElement | null>;
  /** Why it was refused, to stand above the form: nothing where it is said beside a field. */
  refusal: string | undefined;
  faults: Faults;
  /** What is wrong with a field or any part of it. */
  faultOf: (path: string) => string | undefined;
  /** Reads the form; undefined where something in it cannot be taken, which is said then. */
  read: <Value>(reading: () => Value) => Value | undefined;
  /** Takes the server's answer; true when nothing was refused. */
  take: (answer: Answered) => boolean;
  /** What is wrong before anything was sent; nothing clears what was said. */
  say: (told?: { refusal?: string; faults?: Faults }) => void;
};

/**
 * Keeps what is wrong with a form. `fields` are the paths of those that show it: what is wrong with anything else is said
 * above the form, so that nothing goes unsaid. The first field with a fault takes the focus.
 */
export function useOutcome(fields: readonly string[] = []): Outcome {
  const form = useRef<HTMLFormElement>(null);
  const [said, setSaid] = useState<{ refusal?: string | undefined; faults: Faults }>({ faults: {} });
  const { refusal, faults } = said;
  useEffect(() => {
    if (Object.keys(faults).length > 0)
      form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [faults]);

  const isShown = (path: string) => fields.some((field) => path === field || path.startsWith(`${field}/`));
  const take = (answer: Answered) => {
    const wrong = faultsOf(answer);
    const refused = refusalOf(answer);
    const unshown = Object.entries(wrong).filter(([path]) => !isShown(path));
    const rest = unshown.map(([path, text]) => `${path.replaceAll('/', ' ')}: ${text}`).join('. ');
    setSaid({ refusal: Object.keys(wrong).length > 0 ? rest || undefined : refused, faults: wrong });
    return refused === undefined;
  };
  const read = <Value>(reading: () => Value) => {
    try {
      return reading();
    } catch (error) {
      if (!(error instanceof Unclear)) throw error;
      const { path, message } = error;
      setSaid(isShown(path) ? { faults: { [path]: message } } : { refusal: message, faults: {} });
    }
    return undefined;
  };
  return {
    form,
    refusal,
    faults,
    faultOf: (path) => faultUnder(faults, path),
    read,
    take,
    say: (told = {}) => setSaid({ refusal: told.refusal, faults: told.faults ?? {} }),
  };
}
