import { Alert, Button, CopyButton, Group, Modal, Stack } from '@mantine/core';
import { fillText } from '../../../language/fill-text.ts';
import { t } from '../../language/texts.ts';
import classes from './two-factor.module.css';

/** Shows new recovery codes, which cannot be shown again. */
export function RecoveryCodes(props: {
  codes: readonly string[] | undefined;
  email: string;
  onClose: () => void;
}) {
  const { codes = [], email, onClose } = props;
  const text = fillText(t.account.recoveryCodesForAt, {
    email,
    host: window.location.host,
    codes: codes.join('\n'),
  });
  return (
    <Modal
      opened={codes.length > 0}
      onClose={onClose}
      title={t.account.yourRecoveryCodes}
      closeOnClickOutside={false}
      centered
    >
      <Stack>
        <Alert color="amber" variant="light">
          {t.account.storeTheseWhereYou}
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
                {copied ? t.common.copied : t.common.copy}
              </Button>
            )}
          </CopyButton>
          <Button onClick={onClose} data-autofocus>
            {t.account.iveSavedThem}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
