import { Button, Text, TextInput, Title } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { Form } from '../../components/form.tsx';
import { Link } from '../../components/link.tsx';
import { MailNotice } from '../../components/mail-notice.tsx';
import { useFormState } from '../../components/use-form-state.ts';
import { useTitle } from '../../components/use-title.ts';
import { userErrorFields } from '../../graphql/errors.ts';
import { graphql } from '../../graphql/graphql.ts';
import { CenteredPage } from '../../shell/centered-page.tsx';

const requestPasswordResetMutation = graphql(
  `
    mutation RequestPasswordReset($input: RequestPasswordResetInput!) {
      requestPasswordReset(input: $input) {
        __typename
        ... on RequestPasswordResetSuccess {
          email
        }
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);

/** Requests a password reset link. The response is the same for every address, so it does not reveal who is a user. */
export function ForgotPasswordPage() {
  useTitle('Forgot your password?');
  const [{ fetching }, request] = useMutation(requestPasswordResetMutation);
  const formState = useFormState(['email']);
  const [sentTo, setSentTo] = useState<string>();

  const submit = async (form: FormData) => {
    const email = String(form.get('email'));
    if (formState.handleResult(await request({ input: { email } }))) setSentTo(email);
  };

  return (
    <CenteredPage>
      <Title order={1} size="h3">
        Forgot your password?
      </Title>
      <MailNotice />
      {sentTo === undefined ? (
        <Form state={formState} onSubmit={submit}>
          <TextInput
            label="Email"
            name="email"
            type="email"
            description="We’ll email you a link to set a new password."
            autoComplete="username"
            error={formState.fieldErrors.email}
            required
            autoFocus
            withAsterisk={false}
          />
          <Button type="submit" loading={fetching} fullWidth>
            Send link
          </Button>
        </Form>
      ) : (
        <Text role="status">
          If {sentTo} is the address of a user, we’ve sent an email. Its link works once and expires in one
          hour. Didn’t get it? Check your spam folder, or contact the operator of this service.
        </Text>
      )}
      <Text size="sm" ta="center">
        <Link to="/">Back to sign-in</Link>
      </Text>
    </CenteredPage>
  );
}
