import { type RefObject, useEffect, useRef, useState } from 'react';
import { FieldInputError } from '../format/parse-number.ts';
import {
  type FieldErrors,
  findFieldError,
  getErrorMessage,
  getFieldErrors,
  type MutationResponse,
} from '../graphql/errors.ts';

/** What came of sending a form. */
export type FormState = {
  /** For the form's element. */
  formRef: RefObject<HTMLFormElement | null>;
  /** Why it was refused, to stand above the form: nothing where it is said beside a field. */
  error: string | undefined;
  fieldErrors: FieldErrors;
  /** What is wrong with a field or any part of it. */
  getFieldError: (path: string) => string | undefined;
  /** Reads the form; undefined where something in it cannot be taken, which is said then. */
  read: <Value>(readInput: () => Value) => Value | undefined;
  /** Takes the server's answer; true when nothing was refused. */
  handleResult: (result: MutationResponse) => boolean;
  /** What is wrong before anything was sent; nothing clears what was said. */
  setErrors: (errors?: { error?: string; fieldErrors?: FieldErrors }) => void;
};

/**
 * Keeps what is wrong with a form. `fields` are the paths of those that show it: what is wrong with anything else is said
 * above the form, so that nothing goes unsaid. The first field with a fault takes the focus.
 */
export function useFormState(fieldPaths: readonly string[] = []): FormState {
  const formRef = useRef<HTMLFormElement>(null);
  const [errors, setErrorState] = useState<{ error?: string | undefined; fieldErrors: FieldErrors }>({
    fieldErrors: {},
  });
  const { error, fieldErrors } = errors;
  useEffect(() => {
    if (Object.keys(fieldErrors).length > 0)
      formRef.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [fieldErrors]);

  const isFieldShown = (path: string) =>
    fieldPaths.some((field) => path === field || path.startsWith(`${field}/`));
  const handleResult = (result: MutationResponse) => {
    const resultErrors = getFieldErrors(result);
    const message = getErrorMessage(result);
    const hiddenErrors = Object.entries(resultErrors).filter(([path]) => !isFieldShown(path));
    const hiddenText = hiddenErrors.map(([path, text]) => `${path.replaceAll('/', ' ')}: ${text}`).join('. ');
    setErrorState({
      error: Object.keys(resultErrors).length > 0 ? hiddenText || undefined : message,
      fieldErrors: resultErrors,
    });
    return message === undefined;
  };
  const read = <Value>(readInput: () => Value) => {
    try {
      return readInput();
    } catch (error) {
      if (!(error instanceof FieldInputError)) throw error;
      const { path, message } = error;
      setErrorState(
        isFieldShown(path) ? { fieldErrors: { [path]: message } } : { error: message, fieldErrors: {} },
      );
    }
    return undefined;
  };
  return {
    formRef,
    error,
    fieldErrors,
    getFieldError: (path) => findFieldError(fieldErrors, path),
    read,
    handleResult,
    setErrors: (newErrors = {}) =>
      setErrorState({ error: newErrors.error, fieldErrors: newErrors.fieldErrors ?? {} }),
  };
}
