import { Alert, Button, CopyButton, Group, Modal, Stack } from '@mantine/core';
import classes from './two-factor.module.css';

/** Shows new recovery codes, which cannot be shown again. */
export function RecoveryCodes(props: {
  codes: readonly string[] | undefined;
  email: string;
  onClose: () => void;
}) {
  const { codes = [], email, onClose } = props;
  const text = `Recovery codes for ${email} at ${window.location.host}\n\n${codes.join('\n')}\n`;
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
          Store these where you can find them without your phone. Each one works once in place of a code from
          your app. They won’t be shown again.
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
            I’ve saved them
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
