import { Button, type ButtonProps, Group, Modal, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { Unclear } from '../format/written-number.ts';
import { sent } from './form.tsx';
import { Refused } from './refused.tsx';

type Question = {
  title: string;
  /** The button that does it. */
  confirm: string;
  /** The button that changes nothing. */
  keep?: string;
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
export function ConfirmDialog(props: Question & { opened: boolean; onClose: () => void }) {
  const { title, confirm, keep = 'Cancel', isDanger = false, onConfirm, children, opened, onClose } = props;
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const close = () => {
    onClose();
    setRefusal(undefined);
  };
  const done = async (form: FormData) => {
    try {
      return await onConfirm(form);
    } catch (error) {
      if (error instanceof Unclear) return error.message;
      throw error;
    }
  };
  const submit = async (form: FormData) => {
    setBusy(true);
    const refused = await done(form);
    setBusy(false);
    if (refused === undefined) close();
    else setRefusal(refused);
  };
  return (
    <Modal opened={opened} onClose={close} title={title} centered>
      <form onSubmit={sent(submit)}>
        <Stack>
          {children}
          <Refused text={refusal} />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={close} data-autofocus>
              {keep}
            </Button>
            <Button type="submit" loading={isBusy} {...(isDanger && { color: 'red.9' })}>
              {confirm}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

type ConfirmButtonProps = Omit<Question, 'confirm'> & {
  label: string;
  /** What a screen reader says where the label alone does not tell the rows of a list apart. */
  name?: string;
  /** The same words as those of the button that asks, unless said otherwise. */
  confirm?: string;
  variant?: ButtonProps['variant'];
  color?: ButtonProps['color'];
  size?: ButtonProps['size'];
};

/** A button that asks before it acts. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const { label, name, variant = 'filled', size = 'sm', color, confirm = label, ...question } = props;
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
      <ConfirmDialog {...question} confirm={confirm} opened={opened} onClose={dialog.close} />
    </>
  );
}

/** How a button of a line in a list looks: of the one that stands out a page has one. */
export const lineButton = { size: 'compact-sm', variant: 'default' } as const;

/** The same, of a line in a list, for what ends for good. */
export function EndButton(
  props: Omit<ConfirmButtonProps, 'keep' | 'variant' | 'color' | 'size' | 'isDanger'>,
) {
  return <ConfirmButton keep="Keep it" size="compact-sm" variant="subtle" color="red" isDanger {...props} />;
}
