import type { ModalProps } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Dialog } from './dialog.tsx';

/** A dialog that holds a form, and then shows what the form has made. */
export function MakeDialog<Made>(props: {
  opened: boolean;
  onClose: () => void;
  title: string;
  /** When it is made. */
  madeTitle: string;
  size?: ModalProps['size'];
  onMade?: () => void;
  form: (onMade: (made: Made) => void) => ReactNode;
  children: (made: Made, close: () => void) => ReactNode;
}) {
  const { opened, onClose, title, madeTitle, size, onMade, form, children } = props;
  const [made, setMade] = useState<{ value: Made }>();
  const show = (value: Made) => {
    setMade({ value });
    onMade?.();
  };
  const close = () => {
    onClose();
    setMade(undefined);
  };
  return (
    <Dialog
      opened={opened}
      onClose={close}
      title={made ? madeTitle : title}
      {...(size !== undefined && { size })}
    >
      {made ? children(made.value, close) : form(show)}
    </Dialog>
  );
}
