import { Button, Stack, Text, TextInput, Title } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useMutation } from 'urql';
import { graphql } from '../../graphql/graphql.ts';
import { refusalOf } from '../../graphql/refusal.ts';
import { Link } from '../../parts/link.tsx';
import { Refused } from '../../parts/refused.tsx';
import { useTitle } from '../../parts/use-title.ts';
import { CenteredPage } from '../../shell/centered-page.tsx';

const requestMutation = graphql(`
  mutation RequestPasswordReset($input: RequestPasswordResetInput!) {
    requestPasswordReset(input: $input) {
      __typename
      ... on RequestPasswordResetSuccess {
        email
      }
      ... on Error {
        code
        message
      }
    }
  }
`);

/** Asks for a link to set a new password; what it says is the same for every address. */
export function ForgotPasswordPage() {
  useTitle('Forgot your password?');
  const [{ fetching }, request] = useMutation(requestMutation);
  const [refusal, setRefusal] = useState<string>();
  const [sentTo, setSentTo] = useState<string>();

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const email = String(new FormData(event.currentTarget).get('email'));
    const outcome = await request({ input: { email } });
    const refused = refusalOf(outcome);
    setRefusal(refused);
    if (refused === undefined) setSentTo(email);
  };

  return (
    <CenteredPage>
      <Title order={1} size="h3">
        Forgot your password?
      </Title>
      {sentTo === undefined ? (
        <form onSubmit={submit}>
          <Stack>
            <Refused text={refusal} />
            <TextInput
              label="E-mail"
              name="email"
              type="email"
              description="We mail you a link to set a new password."
              autoComplete="username"
              required
              autoFocus
              withAsterisk={false}
            />
            <Button type="submit" loading={fetching} fullWidth>
              Send the link
            </Button>
          </Stack>
        </form>
      ) : (
        <Text role="status">
          If {sentTo} is the address of a user, a mail is on its way. Its link works once, for an hour.
          Nothing there? Look into the spam folder, or ask whoever runs this service.
        </Text>
      )}
      <Text size="sm" ta="center">
        <Link to="/">Back to sign-in</Link>
      </Text>
    </CenteredPage>
  );
}
