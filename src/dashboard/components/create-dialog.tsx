import type { ModalProps } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Dialog } from './dialog.tsx';

/** Shows a form, and after its submission the created object. */
export function CreateDialog<Created>(props: {
  opened: boolean;
  onClose: () => void;
  title: string;
  createdTitle: string;
  size?: ModalProps['size'];
  onCreated?: () => void;
  form: (onCreated: (created: Created) => void) => ReactNode;
  children: (created: Created, close: () => void) => ReactNode;
}) {
  const { opened, onClose, title, createdTitle, size, onCreated, form, children } = props;
  const [created, setCreated] = useState<{ value: Created }>();
  const show = (value: Created) => {
    setCreated({ value });
    onCreated?.();
  };
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      // While the dialog closes, the focused button must stay, so that the focus returns to the opener.
      onExitTransitionEnd={() => setCreated(undefined)}
      title={created ? createdTitle : title}
      {...(size !== undefined && { size })}
    >
      {created ? children(created.value, onClose) : form(show)}
    </Dialog>
  );
}
