import { Alert, Button, Text, TextInput, Title, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { CodeInput } from '../../components/code-input.tsx';
import { Form } from '../../components/form.tsx';
import { Link } from '../../components/link.tsx';
import { PasswordField } from '../../components/password-fields.tsx';
import { useOutcome } from '../../components/use-outcome.ts';
import { useTitle } from '../../components/use-title.ts';
import { graphql } from '../../graphql/graphql.ts';
import { refusalFields } from '../../graphql/refusal.ts';
import { CenteredPage } from '../../shell/centered-page.tsx';

const signInMutation = graphql(
  `
    mutation SignIn($input: SignInInput!) {
      signIn(input: $input) {
        __typename
        ...Refusal
      }
    }
  `,
  [refusalFields],
);

type Known = { email: string; password: string };

/**
 * E-mail and password, then, where it is on, a code of the second factor. `hasEnded`: the session that was there ended by
 * itself.
 */
export function SignInPage({ hasEnded, onSignedIn }: { hasEnded: boolean; onSignedIn: () => void }) {
  useTitle('Sign in');
  const [{ fetching }, signIn] = useMutation(signInMutation);
  const outcome = useOutcome();
  const [known, setKnown] = useState<Known>();

  const submit = async (form: FormData) => {
    const given = known ?? { email: String(form.get('email')), password: String(form.get('password')) };
    const code = known ? String(form.get('code')) : null;
    const answer = await signIn({ input: { ...given, code } });
    const result = answer.data?.signIn;
    if (result && 'code' in result && result.code === 'second_factor_required') {
      outcome.say();
      setKnown(given);
    } else if (outcome.take(answer)) onSignedIn();
  };

  return (
    <CenteredPage>
      <Title order={1} size="h3">
        {known ? 'Enter your code' : 'Sign in'}
      </Title>
      <Form outcome={outcome} onSubmit={submit} key={known ? 'code' : 'password'}>
        {hasEnded && outcome.refusal === undefined && (
          <Alert color="amber" variant="light" role="status">
            Your session has expired. Sign in to continue.
          </Alert>
        )}
        {known ? (
          <CodeInput />
        ) : (
          <>
            <TextInput
              label="Email"
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
          {known ? 'Continue' : 'Sign in'}
        </Button>
        {known ? (
          <Text size="sm" ta="center">
            <UnstyledButton
              c="var(--mantine-color-anchor)"
              fz="sm"
              onClick={() => {
                setKnown(undefined);
                outcome.say();
              }}
            >
              Use a different account
            </UnstyledButton>
          </Text>
        ) : (
          <Text size="sm" ta="center">
            <Link to="/forgot-password">Forgot your password?</Link>
          </Text>
        )}
      </Form>
    </CenteredPage>
  );
}
