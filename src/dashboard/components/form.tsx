import { Button, Group, Stack, type StackProps } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { parseAmount, withFieldPath } from '../../kit/typed-number.ts';
import { useDialogLock } from './dialog.tsx';
import { ErrorAlert } from './error-alert.tsx';
import { type FormState, toFieldPath } from './use-form-state.ts';

/** A form that shows its error above the fields. It locks a surrounding dialog until `onSubmit` has finished. */
export function Form(props: {
  state: Pick<FormState, 'formRef' | 'error' | 'remedy'>;
  onSubmit: (form: FormData) => void | Promise<void>;
  children: ReactNode;
  maw?: StackProps['maw'];
}) {
  const { state, onSubmit, children, maw } = props;
  const lockDialog = useDialogLock();
  return (
    <form onSubmit={handleSubmit((form) => void lockDialog(onSubmit(form)))} ref={state.formRef}>
      <Stack maw={maw}>
        <ErrorAlert text={state.error} remedy={state.remedy} />
        {children}
      </Stack>
    </form>
  );
}

/** Returns a submit handler that calls `onSubmit` with the form data and prevents page navigation. */
export function handleSubmit(onSubmit: (form: FormData) => void) {
  return (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    // React bubbles events from a dialog's form to the form of the page that renders it.
    event.stopPropagation();
    onSubmit(new FormData(event.currentTarget));
  };
}

export function SubmitButton(props: { isBusy: boolean; aside?: ReactNode; children: ReactNode }) {
  const { isBusy, aside, children } = props;
  return (
    <Group justify={aside ? 'space-between' : 'flex-end'} gap="sm">
      {aside}
      <Button type="submit" loading={isBusy}>
        {children}
      </Button>
    </Group>
  );
}

/** Returns the trimmed text of a field; `''` if it is missing. */
export function getText(form: FormData, name: string): string {
  return String(form.get(name) ?? '').trim();
}

/**
 * Returns the amount in a field in API format, or `''` if the field is empty. Throws `FieldInputError` if the amount
 * cannot be parsed.
 */
export function getAmount(form: FormData, name: string, currency: string): string {
  return withFieldPath(toFieldPath(name), () => parseAmount(getText(form, name), currency));
}

/** Returns the number in a field, or null if the field is empty. */
export function getNumber(form: FormData, name: string): number | null {
  const text = getText(form, name);
  return text === '' ? null : Number(text);
}
