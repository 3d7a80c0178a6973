import { Alert, Button, CopyButton, Group, Modal, Stack } from '@mantine/core';
import classes from './second-factor.module.css';

/** Codes that were made just now: shown this once. */
export function RecoveryCodes(props: {
  codes: readonly string[] | undefined;
  email: string;
  onClose: () => void;
}) {
  const { codes = [], email, onClose } = props;
  const text = `Recovery codes of ${email} at ${window.location.host}\n\n${codes.join('\n')}\n`;
  return (
    <Modal
      opened={codes.length > 0}
      onClose={onClose}
      title="Your recovery codes"
      closeOnClickOutside={false}
      centered
    >
      <Stack>
        <Alert color="amber" variant="light">
          Keep these where you find them without your phone. Each signs you in once in place of a code. They
          are not shown again.
        </Alert>
        <ul className={classes.codes}>
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <Group justify="flex-end">
          <CopyButton value={text}>
            {({ copied, copy }) => (
              <Button variant="default" onClick={copy}>
                {copied ? 'Copied' : 'Copy'}
              </Button>
            )}
          </CopyButton>
          <Button onClick={onClose} data-autofocus>
            I have kept them
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
