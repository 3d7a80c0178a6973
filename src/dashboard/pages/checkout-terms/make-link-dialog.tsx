import { Modal } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { MadeLink } from '../../parts/made-link.tsx';

/** The dialog that holds a form, and then shows the address that the form has made. */
export function MakeLinkDialog(props: {
  opened: boolean;
  onClose: () => void;
  onMade: () => void;
  titles: { before: string; after: string };
  form: (made: (url: string) => void) => ReactNode;
}) {
  const { opened, onClose, onMade, titles, form } = props;
  const [url, setUrl] = useState<string>();
  const close = () => {
    onClose();
    setUrl(undefined);
  };
  const made = (address: string) => {
    setUrl(address);
    onMade();
  };
  const title = url === undefined ? titles.before : titles.after;
  return (
    <Modal opened={opened} onClose={close} title={title} size="lg" centered>
      {url === undefined ? form(made) : <MadeLink url={url} onClose={close} />}
    </Modal>
  );
}
