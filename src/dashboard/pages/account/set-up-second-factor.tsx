import { Button, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useMutation } from 'urql';
import { CodeInput } from '../../components/code-input.tsx';
import { CopyText } from '../../components/copy-text.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Form, Submit } from '../../components/form.tsx';
import { HiddenUserName, PasswordField } from '../../components/password-fields.tsx';
import { QrCode } from '../../components/qr-code.tsx';
import { useOutcome } from '../../components/use-outcome.ts';
import { beginMutation, confirmMutation } from './account-query.ts';
import classes from './second-factor.module.css';

type Begun = { secret: string; uri: string };
type Props = { isOn: boolean; email: string; onCodes: (codes: readonly string[]) => void };

/** The dialog that sets an authenticator app up: password, secret to scan, a code to confirm it. */
export function SetUpSecondFactor({ isOn, email, onCodes }: Props) {
  const [opened, dialog] = useDisclosure();
  const [begun, setBegun] = useState<Begun>();
  const close = () => {
    dialog.close();
    setBegun(undefined);
  };
  const confirmed = (codes: readonly string[]) => {
    close();
    onCodes(codes);
  };
  return (
    <>
      <Button variant={isOn ? 'default' : 'filled'} onClick={dialog.open}>
        {isOn ? 'Change authenticator app' : 'Turn on'}
      </Button>
      <Dialog opened={opened} onClose={close} title="Set up your authenticator app">
        {begun ? (
          <Scan begun={begun} onConfirmed={confirmed} />
        ) : (
          <Begin isOn={isOn} email={email} onBegun={setBegun} />
        )}
      </Dialog>
    </>
  );
}

function Begin(props: { isOn: boolean; email: string; onBegun: (begun: Begun) => void }) {
  const { isOn, email, onBegun } = props;
  const [{ fetching }, begin] = useMutation(beginMutation);
  const outcome = useOutcome();
  const submit = async (form: FormData) => {
    const code = isOn ? String(form.get('code')) : null;
    const answer = await begin({ input: { password: String(form.get('password')), code } });
    outcome.take(answer);
    const result = answer.data?.beginSecondFactor;
    if (result?.__typename === 'BeginSecondFactorSuccess') onBegun(result);
  };
  return (
    <Form outcome={outcome} onSubmit={submit}>
      <HiddenUserName email={email} />
      <PasswordField label="Your password" isFirst />
      {isOn && <CodeInput label="Code from your current app" isFirst={false} />}
      <Submit isBusy={fetching}>Continue</Submit>
    </Form>
  );
}

function Scan(props: { begun: Begun; onConfirmed: (codes: readonly string[]) => void }) {
  const { begun, onConfirmed } = props;
  const [{ fetching }, confirm] = useMutation(confirmMutation);
  const outcome = useOutcome();
  const submit = async (form: FormData) => {
    const answer = await confirm({ input: { code: String(form.get('code')) } });
    outcome.take(answer);
    const result = answer.data?.confirmSecondFactor;
    if (result?.__typename === 'ConfirmSecondFactorSuccess') onConfirmed(result.recoveryCodes);
  };
  return (
    <Form outcome={outcome} onSubmit={submit}>
      <Text size="sm">Scan this QR code with an authenticator app, or enter the secret in the app.</Text>
      <div className={classes.qr}>
        <QrCode text={begun.uri} label="QR code for your authenticator app" />
      </div>
      <CopyText text={begun.secret.match(/.{4}/g)?.join(' ') ?? ''} value={begun.secret} what="secret" />
      <TextInput
        label="Code from the app"
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        withAsterisk={false}
        data-autofocus
        autoFocus
      />
      <Submit isBusy={fetching}>Turn on</Submit>
    </Form>
  );
}
