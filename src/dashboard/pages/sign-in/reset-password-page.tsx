import { Button, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { Form } from '../../components/form.tsx';
import { Link } from '../../components/link.tsx';
import { NewPasswordField } from '../../components/password-fields.tsx';
import { useFormState } from '../../components/use-form-state.ts';
import { useTitle } from '../../components/use-title.ts';
import { userErrorFields } from '../../graphql/errors.ts';
import { graphql } from '../../graphql/graphql.ts';
import { CenteredPage } from '../../shell/centered-page.tsx';
import { useLinkToken } from './use-link-token.ts';

const resetPasswordMutation = graphql(
  `
    mutation ResetPassword($input: ResetPasswordInput!) {
      resetPassword(input: $input) {
        __typename
        ... on ResetPasswordSuccess {
          email
        }
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);

/** The page that a password reset link opens. */
export function ResetPasswordPage() {
  useTitle('Set a new password');
  const token = useLinkToken();
  const [{ fetching }, reset] = useMutation(resetPasswordMutation);
  const formState = useFormState(['newPassword']);
  const [email, setEmail] = useState<string>();

  const submit = async (form: FormData) => {
    const response = await reset({ input: { token, newPassword: String(form.get('newPassword')) } });
    formState.handleResult(response);
    const result = response.data?.resetPassword;
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
      <Form state={formState} onSubmit={submit}>
        <NewPasswordField
          label="New password"
          name="newPassword"
          error={formState.fieldErrors.newPassword}
          isFirst
        />
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
