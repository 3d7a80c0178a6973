import { Button, type ButtonProps, Group, Modal, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { FieldInputError } from '../format/parse-number.ts';
import { ErrorAlert } from './error-alert.tsx';
import { handleSubmit } from './form.tsx';

type ConfirmDialogProps = {
  title: string;
  /** The button that does it. */
  confirmLabel: string;
  /** The button that changes nothing. */
  cancelLabel?: string;
  isDanger?: boolean;
  /**
   * Given the fields among the children; answers the sentence to show when it was refused, undefined when it is done. What
   * is `Unclear` in a field is said alike.
   */
  onConfirm: (form: FormData) => Promise<string | undefined>;
  children: ReactNode;
};

/**
 * Asks before something is done, and closes when it is. A child with `data-autofocus` has the focus first, else the button
 * that changes nothing.
 */
export function ConfirmDialog(props: ConfirmDialogProps & { opened: boolean; onClose: () => void }) {
  const {
    title,
    confirmLabel,
    cancelLabel = 'Cancel',
    isDanger = false,
    onConfirm,
    children,
    opened,
    onClose,
  } = props;
  const [isBusy, setBusy] = useState(false);
  const [errorMessage, setErrorMessage] = useState<string>();
  const close = () => {
    onClose();
    setErrorMessage(undefined);
  };
  const runConfirm = async (form: FormData) => {
    try {
      return await onConfirm(form);
    } catch (error) {
      if (error instanceof FieldInputError) return error.message;
      throw error;
    }
  };
  const submit = async (form: FormData) => {
    setBusy(true);
    const message = await runConfirm(form);
    setBusy(false);
    if (message === undefined) close();
    else setErrorMessage(message);
  };
  return (
    <Modal opened={opened} onClose={close} title={title} centered>
      <form onSubmit={handleSubmit(submit)}>
        <Stack>
          {children}
          <ErrorAlert text={errorMessage} />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={close} data-autofocus>
              {cancelLabel}
            </Button>
            <Button type="submit" loading={isBusy} {...(isDanger && { color: 'red.9' })}>
              {confirmLabel}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

type ConfirmButtonProps = Omit<ConfirmDialogProps, 'confirmLabel'> & {
  label: string;
  /** What a screen reader says where the label alone does not tell the rows of a list apart. */
  name?: string;
  /** The same words as those of the button that asks, unless said otherwise. */
  confirmLabel?: string;
  variant?: ButtonProps['variant'];
  color?: ButtonProps['color'];
  size?: ButtonProps['size'];
};

/** A button that asks before it acts. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const { label, name, variant = 'filled', size = 'sm', color, confirmLabel = label, ...dialogProps } = props;
  const [opened, dialog] = useDisclosure();
  return (
    <>
      <Button
        variant={variant}
        size={size}
        onClick={dialog.open}
        aria-label={name}
        {...(color !== undefined && { color })}
      >
        {label}
      </Button>
      <ConfirmDialog {...dialogProps} confirmLabel={confirmLabel} opened={opened} onClose={dialog.close} />
    </>
  );
}

/** How a button of a line in a list looks: of the one that stands out a page has one. */
export const rowButtonProps = { size: 'compact-sm', variant: 'default' } as const;

/** The same, of a line in a list, for what ends for good. */
export function DestructiveButton(
  props: Omit<ConfirmButtonProps, 'cancelLabel' | 'variant' | 'color' | 'size' | 'isDanger'>,
) {
  return (
    <ConfirmButton cancelLabel="Keep it" size="compact-sm" variant="subtle" color="red" isDanger {...props} />
  );
}
