import { Button, type ButtonProps, Group, Modal, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { FieldInputError } from '../../kit/typed-number.ts';
import { t } from '../language/texts.ts';
import { ErrorAlert } from './error-alert.tsx';
import { handleSubmit } from './form.tsx';

type ConfirmDialogProps = {
  title: string;
  confirmLabel: string;
  cancelLabel?: string;
  isDanger?: boolean;
  /**
   * Runs the action. `form` contains the form fields among the children. Returns an error message to show, or undefined
   * on success. The dialog also shows the message of a thrown `FieldInputError`.
   */
  onConfirm: (form: FormData) => Promise<string | undefined>;
  children: ReactNode;
};

/**
 * The dialog closes after success. It cannot be closed while the action runs, because its error would be lost. The
 * initial focus is on a child with `data-autofocus` or, if there is none, on the cancel button.
 */
export function ConfirmDialog(props: ConfirmDialogProps & { opened: boolean; onClose: () => void }) {
  const {
    title,
    confirmLabel,
    cancelLabel = t.components.cancel,
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
  const cancel = () => {
    if (!isBusy) close();
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
    const message = await runConfirm(form).finally(() => setBusy(false));
    if (message === undefined) close();
    else setErrorMessage(message);
  };
  return (
    <Modal opened={opened} onClose={cancel} title={title} centered>
      <form onSubmit={handleSubmit(submit)}>
        <Stack>
          {children}
          <ErrorAlert text={errorMessage} />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={cancel} disabled={isBusy} data-autofocus>
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
  /** The accessible name. It distinguishes buttons with the same label in the rows of a list. */
  name?: string;
  confirmLabel?: string;
  variant?: ButtonProps['variant'];
  color?: ButtonProps['color'];
  size?: ButtonProps['size'];
};

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

/** The style of buttons in list rows. A page has only one prominent button. */
export const rowButtonProps = { size: 'compact-sm', variant: 'default' } as const;

/** A button in a list row for an irreversible action. */
export function DestructiveButton(
  props: Omit<ConfirmButtonProps, 'cancelLabel' | 'variant' | 'color' | 'size' | 'isDanger'>,
) {
  return <ConfirmButton size="compact-sm" variant="subtle" color="red" isDanger {...props} />;
}
