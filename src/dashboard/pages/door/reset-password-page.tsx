import { Button, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useMutation } from 'urql';
import { graphql } from '../../graphql/graphql.ts';
import { Link } from '../../parts/link.tsx';
import { Refused } from '../../parts/refused.tsx';
import { useOutcome } from '../../parts/use-outcome.ts';
import { useTitle } from '../../parts/use-title.ts';
import { CenteredPage } from '../../shell/centered-page.tsx';
import { useLinkToken } from './use-link-token.ts';

const resetMutation = graphql(`
  mutation ResetPassword($input: ResetPasswordInput!) {
    resetPassword(input: $input) {
      __typename
      ... on ResetPasswordSuccess {
        email
      }
      ... on Error {
        code
        message
      }
      ... on InvalidRequestError {
        errors {
          path
          message
        }
      }
    }
  }
`);

/** Where the link of the mail leads. */
export function ResetPasswordPage() {
  useTitle('Set a new password');
  const token = useLinkToken();
  const [{ fetching }, reset] = useMutation(resetMutation);
  const { form: ref, refusal, faults, take } = useOutcome(['password']);
  const [email, setEmail] = useState<string>();

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const password = String(new FormData(event.currentTarget).get('password'));
    const outcome = await reset({ input: { token, password } });
    take(outcome);
    const answer = outcome.data?.resetPassword;
    if (answer?.__typename === 'ResetPasswordSuccess') setEmail(answer.email);
  };

  if (email !== undefined)
    return (
      <CenteredPage>
        <Title order={1} size="h3">
          Your password is set
        </Title>
        <Text role="status">Everywhere you were signed in as {email}, you are signed out.</Text>
        <Text>
          <Link to="/">Sign in</Link>
        </Text>
      </CenteredPage>
    );
  return (
    <CenteredPage>
      <Title order={1} size="h3">
        Set a new password
      </Title>
      <form onSubmit={submit} ref={ref}>
        <Stack>
          <Refused text={refusal} />
          <PasswordInput
            label="New password"
            name="password"
            description="At least 12 characters; a few words in a row are good."
            autoComplete="new-password"
            minLength={12}
            error={faults.password}
            required
            autoFocus
            withAsterisk={false}
          />
          <Button type="submit" loading={fetching} fullWidth>
            Set the password
          </Button>
          <Text size="sm" ta="center">
            <Link to="/forgot-password">Ask for another link</Link>
          </Text>
        </Stack>
      </form>
    </CenteredPage>
  );
}
