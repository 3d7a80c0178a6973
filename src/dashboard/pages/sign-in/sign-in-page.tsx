import { Alert, Button, Text, TextInput, Title, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { CodeInput } from '../../components/code-input.tsx';
import { Form } from '../../components/form.tsx';
import { Link } from '../../components/link.tsx';
import { PasswordField } from '../../components/password-fields.tsx';
import { useFormState } from '../../components/use-form-state.ts';
import { useTitle } from '../../components/use-title.ts';
import { userErrorFields } from '../../graphql/errors.ts';
import { graphql } from '../../graphql/graphql.ts';
import { t } from '../../language/texts.ts';
import { CenteredPage } from '../../shell/centered-page.tsx';

const signInMutation = graphql(
  `
    mutation SignIn($input: SignInInput!) {
      signIn(input: $input) {
        __typename
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);

type SignInCredentials = { email: string; password: string };

/**
 * Asks for the email address and password and then, if two-factor authentication is enabled, for a code.
 * `isSessionExpired` means that the previous session has expired.
 */
export function SignInPage({
  isSessionExpired,
  onSignedIn,
}: {
  isSessionExpired: boolean;
  onSignedIn: () => void;
}) {
  useTitle(t.signIn.signIn);
  const [{ fetching }, signIn] = useMutation(signInMutation);
  const formState = useFormState();
  const [credentials, setCredentials] = useState<SignInCredentials>();

  const submit = async (form: FormData) => {
    const enteredCredentials = credentials ?? {
      email: String(form.get('email')),
      password: String(form.get('password')),
    };
    const code = credentials ? String(form.get('code')) : null;
    const response = await signIn({ input: { ...enteredCredentials, code } });
    const result = response.data?.signIn;
    if (result && 'code' in result && result.code === 'two_factor_code_required') {
      formState.clearErrors();
      setCredentials(enteredCredentials);
    } else if (formState.handleResult(response)) onSignedIn();
  };

  return (
    <CenteredPage>
      <Title order={1} size="h3">
        {credentials ? t.signIn.enterYourCode : t.signIn.signIn}
      </Title>
      <Form state={formState} onSubmit={submit} key={credentials ? 'code' : 'password'}>
        {isSessionExpired && formState.error === undefined && (
          <Alert color="amber" variant="light" role="status">
            {t.signIn.yourSessionHasExpired}
          </Alert>
        )}
        {credentials ? (
          <CodeInput />
        ) : (
          <>
            <TextInput
              label={t.common.email}
              name="email"
              type="email"
              autoComplete="username"
              required
              autoFocus
              withAsterisk={false}
            />
            <PasswordField />
          </>
        )}
        <Button type="submit" loading={fetching} fullWidth>
          {credentials ? t.common.continue : t.signIn.signIn}
        </Button>
        {credentials ? (
          <Text size="sm" ta="center">
            <UnstyledButton
              c="var(--mantine-color-anchor)"
              fz="sm"
              onClick={() => {
                setCredentials(undefined);
                formState.clearErrors();
              }}
            >
              {t.signIn.useADifferentAccount}
            </UnstyledButton>
          </Text>
        ) : (
          <>
            <Text size="sm" ta="center">
              <Link to="/forgot-password">{t.signIn.forgotYourPassword}</Link>
            </Text>
            <Text size="sm" ta="center" c="var(--causeway-muted)">
              {t.signIn.noAccountAskAn}
            </Text>
          </>
        )}
      </Form>
    </CenteredPage>
  );
}
