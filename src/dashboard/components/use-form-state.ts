import { type Dispatch, type RefObject, type SetStateAction, useEffect, useRef, useState } from 'react';
import { FieldInputError } from '../../kit/typed-number.ts';
import {
  type FieldErrors,
  findFieldError,
  findRemedy,
  getErrorMessage,
  getFieldErrors,
  type MutationResponse,
  type Remedy,
} from '../graphql/errors.ts';
import { showError } from './show-error.ts';
import { useUnsavedChanges } from './unsaved-changes.ts';

export type FormState = {
  formRef: RefObject<HTMLFormElement | null>;
  /** The error to show above the form; undefined if a field shows it. */
  error: string | undefined;
  /** A page where the user can resolve the error. */
  remedy: Remedy | undefined;
  fieldErrors: FieldErrors;
  /** Returns the error of a field or of any path below it. */
  getFieldError: (path: string) => string | undefined;
  /** Returns the result of `readInput`, or undefined after a `FieldInputError`, which the form then shows. */
  read: <Value>(readInput: () => Value) => Value | undefined;
  /** Stores the errors of a response and returns whether it succeeded. */
  handleResult: (result: MutationResponse) => boolean;
  /** Sets the errors that are found without a request. */
  setErrors: (errors: { error?: string; fieldErrors?: FieldErrors }) => void;
  clearErrors: () => void;
};

type ShownErrors = {
  error?: string | undefined;
  remedy?: Remedy | undefined;
  fieldErrors: FieldErrors;
  /** Whether the user has corrected a field since the errors appeared. */
  isCorrecting?: boolean;
};

/**
 * Manages the errors of a form. `fieldPaths` lists the fields that show their own error. Errors of other
 * paths appear above the form. The first error is scrolled into view and takes the focus. The error of a field
 * disappears when the user edits the field, whose name is the path with dots. Unsaved changes are not discarded
 * without asking.
 */
export function useFormState(fieldPaths: readonly string[] = []): FormState {
  const formRef = useRef<HTMLFormElement>(null);
  const [errors, setErrorState] = useState<ShownErrors>({ fieldErrors: {} });
  const { error, remedy, fieldErrors } = errors;
  useEffect(() => {
    if (errors.isCorrecting) return;
    if (errors.error === undefined && Object.keys(errors.fieldErrors).length === 0) return;
    // The alert precedes the fields, so it comes first if both exist.
    const firstError = formRef.current?.querySelector<HTMLElement>('[role=alert], [aria-invalid=true]');
    if (firstError) showError(firstError);
  }, [errors]);

  useClearErrorOnEdit(formRef, setErrorState);
  const markSaved = useUnsavedChanges(formRef);

  const isFieldShown = (path: string) =>
    fieldPaths.some((field) => path === field || path.startsWith(`${field}/`));
  const handleResult = (result: MutationResponse) => {
    const resultErrors = getFieldErrors(result);
    const message = getErrorMessage(result);
    const hiddenErrors = Object.entries(resultErrors).filter(([path]) => !isFieldShown(path));
    const hiddenText = hiddenErrors.map(([path, text]) => `${path.replaceAll('/', ' ')}: ${text}`).join('. ');
    setErrorState({
      error: Object.keys(resultErrors).length > 0 ? hiddenText || undefined : message,
      remedy: findRemedy(result),
      fieldErrors: resultErrors,
    });
    if (message === undefined) markSaved();
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
    remedy,
    fieldErrors,
    getFieldError: (path) => findFieldError(fieldErrors, path),
    read,
    handleResult,
    setErrors: (newErrors) =>
      setErrorState({ error: newErrors.error, fieldErrors: newErrors.fieldErrors ?? {} }),
    clearErrors: () => setErrorState({ fieldErrors: {} }),
  };
}

/** Returns the path of a field in the mutation's input. The names of nested fields have dots: `customer.email`. */
export function toFieldPath(name: string): string {
  return name.replaceAll('.', '/');
}

/** Whether one of the paths is the other or a part of it, because a field also shows errors of the whole object. */
function isSameOrNested(path: string, other: string): boolean {
  return `${path}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${path}/`);
}

type SetErrors = Dispatch<SetStateAction<ShownErrors>>;

function useClearErrorOnEdit(formRef: RefObject<HTMLFormElement | null>, setErrors: SetErrors): void {
  useEffect(() => {
    const clearError = ({ target }: Event) => {
      const { name, form } = target as HTMLInputElement;
      if (!name || form !== formRef.current) return;
      const edited = toFieldPath(name);
      setErrors((current) => {
        const others = Object.entries(current.fieldErrors).filter(([path]) => !isSameOrNested(path, edited));
        if (others.length === Object.keys(current.fieldErrors).length) return current;
        return { ...current, fieldErrors: Object.fromEntries(others), isCorrecting: true };
      });
    };
    // Listens above React's own listeners, because an earlier update would reset a controlled field to its old text.
    document.addEventListener('input', clearError);
    return () => document.removeEventListener('input', clearError);
  }, [formRef, setErrors]);
}
