import { Button, Loader, Modal, Text } from '@mantine/core';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useMutation, useQuery } from 'urql';
import { userErrorFields } from '../graphql/errors.ts';
import { graphql } from '../graphql/graphql.ts';
import { reauthenticate, registerReauthenticationPrompt } from '../graphql/reauthentication.ts';
import { t } from '../language/texts.ts';
import { CodeInput } from './code-input.tsx';
import { Form, SubmitButton } from './form.tsx';
import { LoadError } from './load-error.tsx';
import { HiddenUserName, PasswordField } from './password-fields.tsx';
import { useFormState } from './use-form-state.ts';

const methodQuery = graphql(`
  query ReauthenticationMethod {
    viewer {
      user {
        id
        email
        hasTwoFactor
      }
    }
  }
`);

const reauthenticateMutation = graphql(
  `
    mutation Reauthenticate($input: ReauthenticateInput!) {
      reauthenticate(input: $input) {
        __typename
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);

/** The dialog appears above any page or dialog. */
export function ReauthenticationDialog() {
  const [opened, setOpened] = useState(false);
  const resolveRef = useRef<(isDone: boolean) => void>(() => {});
  const close = useCallback((isDone: boolean) => {
    setOpened(false);
    // Resolves after the event of the Escape key, so that the dialog beneath, which receives it too, is still locked.
    setTimeout(() => resolveRef.current(isDone));
  }, []);
  useEffect(() => {
    const unregister = registerReauthenticationPrompt(() => {
      setOpened(true);
      return new Promise((resolve) => {
        resolveRef.current = resolve;
      });
    });
    return () => {
      unregister();
      resolveRef.current(false);
    };
  }, []);
  return (
    <Modal
      opened={opened}
      onClose={() => close(false)}
      title={t.components.confirmYourIdentity}
      zIndex={400}
      centered
    >
      {opened && <ReauthenticationForm onDone={() => close(true)} />}
    </Modal>
  );
}

function ReauthenticationForm({ onDone }: { onDone: () => void }) {
  // Two-factor authentication may have been enabled since the page was loaded.
  const [{ data, error }, retry] = useQuery({ query: methodQuery, requestPolicy: 'network-only' });
  const [{ fetching }, send] = useMutation(reauthenticateMutation);
  const formState = useFormState();
  const user = data?.viewer?.user;
  if (error) return <LoadError error={error} onRetry={() => retry()} />;
  if (!user) return <Loader aria-label={t.common.loading} />;
  const submit = async (form: FormData) => {
    const name = user.hasTwoFactor ? 'code' : 'password';
    if (formState.handleResult(await send({ input: { [name]: String(form.get(name)) } }))) onDone();
  };
  return (
    <Form state={formState} onSubmit={submit}>
      <Text size="sm">{t.components.thisActionCanMove}</Text>
      {user.hasTwoFactor ? (
        <CodeInput />
      ) : (
        <>
          <HiddenUserName email={user.email} />
          <PasswordField label={t.components.yourPassword} isFirst />
        </>
      )}
      <SubmitButton isBusy={fetching}>{t.common.continue}</SubmitButton>
    </Form>
  );
}

export function ReauthenticateButton({
  label,
  onReauthenticated,
}: {
  label: string;
  onReauthenticated: () => void;
}) {
  const reauthenticateFirst = async () => {
    if (await reauthenticate()) onReauthenticated();
  };
  return (
    <Button variant="default" size="compact-sm" onClick={reauthenticateFirst}>
      {label}
    </Button>
  );
}
