import { Alert, Button, PasswordInput, Stack, TextInput, Title } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useMutation } from 'urql';
import { graphql } from '../../graphql/graphql.ts';
import { refusalOf } from '../../graphql/refusal.ts';
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

export function SignInPage({ onSignedIn }: { onSignedIn: () => void }) {
  useTitle('Sign in');
  const [{ fetching }, signIn] = useMutation(signInMutation);
  const [refusal, setRefusal] = useState<string>();

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const input = { email: String(form.get('email')), password: String(form.get('password')) };
    const refused = refusalOf(await signIn({ input }));
    setRefusal(refused);
    if (refused === undefined) onSignedIn();
  };

  return (
    <CenteredPage>
      <Title order={1} size="h3">
        Sign in
      </Title>
      <form onSubmit={submit}>
        <Stack>
          {refusal !== undefined && (
            <Alert color="red" role="alert" variant="light">
              {refusal}
            </Alert>
          )}
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
          <Button type="submit" loading={fetching} fullWidth>
            Sign in
          </Button>
        </Stack>
      </form>
    </CenteredPage>
  );
}
