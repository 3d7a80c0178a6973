import { Button, Group, Stack, type StackProps } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { plainDecimal, readAs } from '../format/written-number.ts';
import { useHold } from './dialog.tsx';
import { Refused } from './refused.tsx';
import type { Outcome } from './use-outcome.ts';

/**
 * A form: what it holds is handed on when it is sent, and why that was refused stands above its fields. A dialog around it
 * stays open until what it was sent for is done.
 */
export function Form(props: {
  outcome: Pick<Outcome, 'form' | 'refusal'>;
  onSubmit: (form: FormData) => void | Promise<void>;
  children: ReactNode;
  maw?: StackProps['maw'];
}) {
  const { outcome, onSubmit, children, maw } = props;
  const hold = useHold();
  return (
    <form onSubmit={sent((form) => void hold(onSubmit(form)))} ref={outcome.form}>
      <Stack maw={maw}>
        <Refused text={outcome.refusal} />
        {children}
      </Stack>
    </form>
  );
}

/** For the event of a form that is sent: hands on what the form holds, and the page stays. */
export function sent(onSubmit: (form: FormData) => void) {
  return (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    // A dialog's form lies, for React, within that of the page beneath, which is none of this.
    event.stopPropagation();
    onSubmit(new FormData(event.currentTarget));
  };
}

/** The button that sends a form, at its end. */
export function Submit(props: { isBusy: boolean; beside?: ReactNode; children: ReactNode }) {
  const { isBusy, beside, children } = props;
  return (
    <Group justify={beside === undefined ? 'flex-end' : 'space-between'} gap="sm">
      {beside}
      <Button type="submit" loading={isBusy}>
        {children}
      </Button>
    </Group>
  );
}

/** What is written in a field, without the spaces around it. */
export function textOf(form: FormData, name: string): string {
  return String(form.get(name) ?? '').trim();
}

/**
 * The amount in a field as the API takes it; empty where nothing is written. `path` is the field's in the input, where it
 * has another name there. Error: `Unclear`.
 */
export function amountOf(form: FormData, name: string, currency: string, path = name): string {
  return readAs(path, () => plainDecimal(textOf(form, name), currency));
}

/** The number in a field; null where it is empty. */
export function numberOf(form: FormData, name: string): number | null {
  const text = textOf(form, name);
  return text === '' ? null : Number(text);
}
