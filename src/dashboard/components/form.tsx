import { Button, Group, Stack, type StackProps } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { parseAmount, withFieldPath } from '../format/parse-number.ts';
import { useDialogLock } from './dialog.tsx';
import { ErrorAlert } from './error-alert.tsx';
import type { FormState } from './use-form-state.ts';

/**
 * A form: what it holds is handed on when it is sent, and why that was refused stands above its fields. A dialog around it
 * stays open until what it was sent for is done.
 */
export function Form(props: {
  state: Pick<FormState, 'formRef' | 'error'>;
  onSubmit: (form: FormData) => void | Promise<void>;
  children: ReactNode;
  maw?: StackProps['maw'];
}) {
  const { state, onSubmit, children, maw } = props;
  const lockDialog = useDialogLock();
  return (
    <form onSubmit={handleSubmit((form) => void lockDialog(onSubmit(form)))} ref={state.formRef}>
      <Stack maw={maw}>
        <ErrorAlert text={state.error} />
        {children}
      </Stack>
    </form>
  );
}

/** For the event of a form that is sent: hands on what the form holds, and the page stays. */
export function handleSubmit(onSubmit: (form: FormData) => void) {
  return (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    // A dialog's form lies, for React, within that of the page beneath, which is none of this.
    event.stopPropagation();
    onSubmit(new FormData(event.currentTarget));
  };
}

/** The button that sends a form, at its end. */
export function SubmitButton(props: { isBusy: boolean; aside?: ReactNode; children: ReactNode }) {
  const { isBusy, aside, children } = props;
  return (
    <Group justify={aside === undefined ? 'flex-end' : 'space-between'} gap="sm">
      {aside}
      <Button type="submit" loading={isBusy}>
        {children}
      </Button>
    </Group>
  );
}

/** What is written in a field, without the spaces around it. */
export function getText(form: FormData, name: string): string {
  return String(form.get(name) ?? '').trim();
}

/**
 * The amount in a field as the API takes it; empty where nothing is written. `path` is the field's in the input, where it
 * has another name there. Error: `Unclear`.
 */
export function getAmount(form: FormData, name: string, currency: string, path = name): string {
  return withFieldPath(path, () => parseAmount(getText(form, name), currency));
}

/** The number in a field; null where it is empty. */
export function getNumber(form: FormData, name: string): number | null {
  const text = getText(form, name);
  return text === '' ? null : Number(text);
}
