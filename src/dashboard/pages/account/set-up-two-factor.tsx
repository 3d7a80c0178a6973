import { Button, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useMutation } from 'urql';
import { CodeInput } from '../../components/code-input.tsx';
import { CopyText } from '../../components/copy-text.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Form, SubmitButton } from '../../components/form.tsx';
import { HiddenUserName, PasswordField } from '../../components/password-fields.tsx';
import { QrCode } from '../../components/qr-code.tsx';
import { useFormState } from '../../components/use-form-state.ts';
import { t } from '../../language/texts.ts';
import { beginTwoFactorMutation, confirmTwoFactorMutation } from './account-query.ts';
import classes from './two-factor.module.css';

type TwoFactorSetup = { secret: string; otpauthUri: string };
type SetUpTwoFactorProps = { isEnabled: boolean; email: string; onCodes: (codes: readonly string[]) => void };

/** Sets up an authenticator app: the user enters the password, scans a secret, and enters a code from the app. */
export function SetUpTwoFactor({ isEnabled, email, onCodes }: SetUpTwoFactorProps) {
  const [opened, dialog] = useDisclosure();
  const [setup, setSetup] = useState<TwoFactorSetup>();
  const close = () => {
    dialog.close();
    setSetup(undefined);
  };
  const handleConfirmed = (codes: readonly string[]) => {
    close();
    onCodes(codes);
  };
  return (
    <>
      <Button variant={isEnabled ? 'default' : 'filled'} onClick={dialog.open}>
        {isEnabled ? t.account.changeAuthenticatorApp : t.account.turnOn}
      </Button>
      <Dialog opened={opened} onClose={close} title={t.account.setUpYourAuthenticator}>
        {setup ? (
          <ConfirmSetup setup={setup} onConfirmed={handleConfirmed} />
        ) : (
          <StartSetup isEnabled={isEnabled} email={email} onStarted={setSetup} />
        )}
      </Dialog>
    </>
  );
}

function StartSetup(props: {
  isEnabled: boolean;
  email: string;
  onStarted: (setup: TwoFactorSetup) => void;
}) {
  const { isEnabled, email, onStarted } = props;
  const [{ fetching }, begin] = useMutation(beginTwoFactorMutation);
  const formState = useFormState();
  const submit = async (form: FormData) => {
    const code = isEnabled ? String(form.get('code')) : null;
    const response = await begin({ input: { password: String(form.get('password')), code } });
    formState.handleResult(response);
    const result = response.data?.beginTwoFactorSetup;
    if (result?.__typename === 'BeginTwoFactorSetupSuccess') onStarted(result);
  };
  return (
    <Form state={formState} onSubmit={submit}>
      <HiddenUserName email={email} />
      <PasswordField label={t.account.yourPassword} isFirst />
      {isEnabled && <CodeInput label={t.account.codeFromYourCurrent} isFirst={false} />}
      <SubmitButton isBusy={fetching}>{t.common.continue}</SubmitButton>
    </Form>
  );
}

function ConfirmSetup(props: { setup: TwoFactorSetup; onConfirmed: (codes: readonly string[]) => void }) {
  const { setup, onConfirmed } = props;
  const [{ fetching }, confirm] = useMutation(confirmTwoFactorMutation);
  const formState = useFormState();
  const submit = async (form: FormData) => {
    const response = await confirm({ input: { code: String(form.get('code')) } });
    formState.handleResult(response);
    const result = response.data?.confirmTwoFactorSetup;
    if (result?.__typename === 'ConfirmTwoFactorSetupSuccess') onConfirmed(result.recoveryCodes);
  };
  return (
    <Form state={formState} onSubmit={submit}>
      <Text size="sm">{t.account.scanThisQrCode}</Text>
      <div className={classes.qr}>
        <QrCode text={setup.otpauthUri} label={t.account.qrCodeForYour} />
      </div>
      <CopyText
        text={setup.secret.match(/.{4}/g)?.join(' ') ?? ''}
        value={setup.secret}
        label={t.account.copySecret}
      />
      <TextInput
        label={t.account.codeFromTheApp}
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        withAsterisk={false}
        data-autofocus
        autoFocus
      />
      <SubmitButton isBusy={fetching}>{t.account.turnOn}</SubmitButton>
    </Form>
  );
}
