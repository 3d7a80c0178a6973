import { Button, Loader, Modal, Text } from '@mantine/core';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useMutation, useQuery } from 'urql';
import { graphql } from '../graphql/graphql.ts';
import { openReauthenticationWith, reauthenticate } from '../graphql/reauthentication.ts';
import { refusalFields } from '../graphql/refusal.ts';
import { CodeInput } from './code-input.tsx';
import { Failure } from './failure.tsx';
import { Form, Submit } from './form.tsx';
import { HiddenUserName, PasswordField } from './password-fields.tsx';
import { useOutcome } from './use-outcome.ts';

const methodQuery = graphql(`
  query ReauthenticationMethod {
    viewer {
      user {
        id
        email
        hasSecondFactor
      }
    }
  }
`);

const reauthenticateMutation = graphql(
  `
    mutation Reauthenticate($input: ReauthenticateInput!) {
      reauthenticate(input: $input) {
        __typename
        ...Refusal
      }
    }
  `,
  [refusalFields],
);

/** The dialog that asks the user to re-authenticate, over whatever page and dialog needs it. */
export function ReauthenticationDialog() {
  const [opened, setOpened] = useState(false);
  const settle = useRef<(isDone: boolean) => void>(() => {});
  const close = useCallback((isDone: boolean) => {
    setOpened(false);
    // After the Escape that may have closed it: the dialog beneath must still be held open then.
    setTimeout(() => settle.current(isDone));
  }, []);
  useEffect(() => {
    const forget = openReauthenticationWith(() => {
      setOpened(true);
      return new Promise((resolve) => {
        settle.current = resolve;
      });
    });
    return () => {
      forget();
      settle.current(false);
    };
  }, []);
  return (
    <Modal opened={opened} onClose={() => close(false)} title="Confirm your identity" zIndex={400} centered>
      {opened && <ReauthenticationForm onDone={() => close(true)} />}
    </Modal>
  );
}

function ReauthenticationForm({ onDone }: { onDone: () => void }) {
  // Two-factor authentication may have been enabled since the page was loaded.
  const [{ data, error }, retry] = useQuery({ query: methodQuery, requestPolicy: 'network-only' });
  const [{ fetching }, send] = useMutation(reauthenticateMutation);
  const outcome = useOutcome();
  const user = data?.viewer?.user;
  if (error) return <Failure error={error} onRetry={() => retry()} />;
  if (!user) return <Loader aria-label="Loading" />;
  const submit = async (form: FormData) => {
    const name = user.hasSecondFactor ? 'code' : 'password';
    if (outcome.take(await send({ input: { [name]: String(form.get(name)) } }))) onDone();
  };
  return (
    <Form outcome={outcome} onSubmit={submit}>
      <Text size="sm">
        This action can move money or grant access to the account. Your entries and selections are kept.
      </Text>
      {user.hasSecondFactor ? (
        <CodeInput />
      ) : (
        <>
          <HiddenUserName email={user.email} />
          <PasswordField label="Your password" isFirst />
        </>
      )}
      <Submit isBusy={fetching}>Continue</Submit>
    </Form>
  );
}

/** A button for what is shown, or possible elsewhere, only after a recent re-authentication. */
export function ShowButton({ label, onReauthenticated }: { label: string; onReauthenticated: () => void }) {
  const show = async () => {
    if (await reauthenticate()) onReauthenticated();
  };
  return (
    <Button variant="default" size="compact-sm" onClick={show}>
      {label}
    </Button>
  );
}
