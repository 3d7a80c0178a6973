import { Button, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { Form } from '../../components/form.tsx';
import { Link } from '../../components/link.tsx';
import { NewPasswordField } from '../../components/password-fields.tsx';
import { useOutcome } from '../../components/use-outcome.ts';
import { useTitle } from '../../components/use-title.ts';
import { graphql } from '../../graphql/graphql.ts';
import { refusalFields } from '../../graphql/refusal.ts';
import { CenteredPage } from '../../shell/centered-page.tsx';
import { useLinkToken } from './use-link-token.ts';

const resetMutation = graphql(
  `
    mutation ResetPassword($input: ResetPasswordInput!) {
      resetPassword(input: $input) {
        __typename
        ... on ResetPasswordSuccess {
          email
        }
        ...Refusal
      }
    }
  `,
  [refusalFields],
);

/** Where the link of the mail leads. */
export function ResetPasswordPage() {
  useTitle('Set a new password');
  const token = useLinkToken();
  const [{ fetching }, reset] = useMutation(resetMutation);
  const outcome = useOutcome(['password']);
  const [email, setEmail] = useState<string>();

  const submit = async (form: FormData) => {
    const answer = await reset({ input: { token, password: String(form.get('password')) } });
    outcome.take(answer);
    const result = answer.data?.resetPassword;
    if (result?.__typename === 'ResetPasswordSuccess') setEmail(result.email);
  };

  if (email !== undefined)
    return (
      <CenteredPage>
        <Title order={1} size="h3">
          Your password was changed
        </Title>
        <Text role="status">All sessions of {email} were signed out.</Text>
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
      <Form outcome={outcome} onSubmit={submit}>
        <NewPasswordField label="New password" name="password" fault={outcome.faults.password} isFirst />
        <Button type="submit" loading={fetching} fullWidth>
          Set password
        </Button>
        <Text size="sm" ta="center">
          <Link to="/forgot-password">Request another link</Link>
        </Text>
      </Form>
    </CenteredPage>
  );
}
