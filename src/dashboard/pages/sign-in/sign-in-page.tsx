import { Alert, Button, PasswordInput, Stack, Text, TextInput, Title, UnstyledButton } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useMutation } from 'urql';
import { graphql } from '../../graphql/graphql.ts';
import { refusalOf } from '../../graphql/refusal.ts';
import { CodeInput } from '../../parts/code-input.tsx';
import { Link } from '../../parts/link.tsx';
import { Refused } from '../../parts/refused.tsx';
import { useTitle } from '../../parts/use-title.ts';
import { CenteredPage } from '../../shell/centered-page.tsx';

const signInMutation = graphql(`
  mutation SignIn($input: SignInInput!) {
    signIn(input: $input) {
      __typename
      ... on Error {
        code
        message
      }
    }
  }
`);

type Known = { email: string; password: string };

/**
 * E-mail and password, then, where it is on, a code of the second factor. `hasEnded`: the session that was there ended by
 * itself.
 */
export function SignInPage({ hasEnded, onSignedIn }: { hasEnded: boolean; onSignedIn: () => void }) {
  useTitle('Sign in');
  const [{ fetching }, signIn] = useMutation(signInMutation);
  const [refusal, setRefusal] = useState<string>();
  const [known, setKnown] = useState<Known>();

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const given = known ?? { email: String(form.get('email')), password: String(form.get('password')) };
    const code = known ? String(form.get('code')) : null;
    const outcome = await signIn({ input: { ...given, code } });
    const answer = outcome.data?.signIn;
    if (answer && 'code' in answer && answer.code === 'second_factor_required') {
      setRefusal(undefined);
      setKnown(given);
      return;
    }
    const refused = refusalOf(outcome);
    setRefusal(refused);
    if (refused === undefined) onSignedIn();
  };

  return (
    <CenteredPage>
      <Title order={1} size="h3">
        {known ? 'Enter your code' : 'Sign in'}
      </Title>
      <form onSubmit={submit} key={known ? 'code' : 'password'}>
        <Stack>
          {hasEnded && refusal === undefined && (
            <Alert color="amber" variant="light" role="status">
              Your session has ended. Sign in again to go on where you were.
            </Alert>
          )}
          <Refused text={refusal} />
          {known ? (
            <CodeInput />
          ) : (
            <>
              <TextInput
                label="E-mail"
                name="email"
                type="email"
                autoComplete="username"
                required
                autoFocus
                withAsterisk={false}
              />
              <PasswordInput
                label="Password"
                name="password"
                autoComplete="current-password"
                required
                withAsterisk={false}
              />
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
                  setRefusal(undefined);
                }}
              >
                Sign in as somebody else
              </UnstyledButton>
            </Text>
          ) : (
            <Text size="sm" ta="center">
              <Link to="/forgot-password">Forgot your password?</Link>
            </Text>
          )}
        </Stack>
      </form>
    </CenteredPage>
  );
}
