import { Button, Group, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type FormEvent, useState } from 'react';
import { useMutation } from 'urql';
import { refusalOf } from '../../graphql/refusal.ts';
import { CodeInput } from '../../parts/code-input.tsx';
import { CopyText } from '../../parts/copy-text.tsx';
import { QrCode } from '../../parts/qr-code.tsx';
import { Refused } from '../../parts/refused.tsx';
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
        {isOn ? 'Move to another app' : 'Turn on'}
      </Button>
      <Modal opened={opened} onClose={close} title="Set up your authenticator app" centered>
        {begun ? (
          <Scan begun={begun} onConfirmed={confirmed} />
        ) : (
          <Begin isOn={isOn} email={email} onBegun={setBegun} />
        )}
      </Modal>
    </>
  );
}

function Begin(props: { isOn: boolean; email: string; onBegun: (begun: Begun) => void }) {
  const { isOn, email, onBegun } = props;
  const [{ fetching }, begin] = useMutation(beginMutation);
  const [refusal, setRefusal] = useState<string>();
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const code = isOn ? String(form.get('code')) : null;
    const outcome = await begin({ input: { password: String(form.get('password')), code } });
    setRefusal(refusalOf(outcome));
    const answer = outcome.data?.beginSecondFactor;
    if (answer?.__typename === 'BeginSecondFactorSuccess') onBegun(answer);
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Refused text={refusal} />
        <input type="hidden" name="username" autoComplete="username" value={email} />
        <PasswordInput
          label="Your password"
          name="password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          data-autofocus
        />
        {isOn && <CodeInput label="Code of the present app" isFirst={false} />}
        <Group justify="flex-end">
          <Button type="submit" loading={fetching}>
            Continue
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Scan(props: { begun: Begun; onConfirmed: (codes: readonly string[]) => void }) {
  const { begun, onConfirmed } = props;
  const [{ fetching }, confirm] = useMutation(confirmMutation);
  const [refusal, setRefusal] = useState<string>();
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const outcome = await confirm({ input: { code: String(new FormData(event.currentTarget).get('code')) } });
    setRefusal(refusalOf(outcome));
    const answer = outcome.data?.confirmSecondFactor;
    if (answer?.__typename === 'ConfirmSecondFactorSuccess') onConfirmed(answer.recoveryCodes);
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">Scan this with an authenticator app, or type the secret into it.</Text>
        <div className={classes.qr}>
          <QrCode text={begun.uri} label="QR code for your authenticator app" />
        </div>
        <CopyText text={begun.secret.match(/.{4}/g)?.join(' ') ?? ''} value={begun.secret} what="secret" />
        <Refused text={refusal} />
        <TextInput
          label="The code that the app shows"
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          withAsterisk={false}
          data-autofocus
          autoFocus
        />
        <Group justify="flex-end">
          <Button type="submit" loading={fetching}>
            Turn on
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
