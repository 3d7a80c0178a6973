import { Button, type ButtonProps, Group, Modal, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type FormEvent, type ReactNode, useState } from 'react';
import { Refused } from './refused.tsx';

/**
 * A button that asks before it acts. `onConfirm` is given the fields among the children, and answers the sentence to show
 * when it was refused; undefined closes the dialog. A child with `data-autofocus` has the focus first, else the button
 * that changes nothing.
 */
export function ConfirmButton(props: {
  label: string;
  /** What a screen reader says where the label alone does not tell the rows of a list apart. */
  name?: string;
  title: string;
  /** The button that does it: the same words as the one that asks, unless said otherwise. */
  confirm?: string;
  keep?: string;
  isDanger?: boolean;
  variant?: ButtonProps['variant'];
  color?: ButtonProps['color'];
  size?: ButtonProps['size'];
  onConfirm: (form: FormData) => Promise<string | undefined>;
  children: ReactNode;
}) {
  const {
    label,
    name,
    title,
    confirm = label,
    keep = 'Not now',
    isDanger = false,
    onConfirm,
    children,
  } = props;
  const { variant = 'filled', size = 'sm', color } = props;
  const [opened, dialog] = useDisclosure();
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setBusy(true);
    const refused = await onConfirm(new FormData(event.currentTarget));
    setBusy(false);
    setRefusal(refused);
    if (refused === undefined) dialog.close();
  };
  const close = () => {
    dialog.close();
    setRefusal(undefined);
  };
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
      <Modal opened={opened} onClose={close} title={title} centered>
        <form onSubmit={submit}>
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
    </>
  );
}
