import { Button, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { fillText } from '../../../language/fill-text.ts';
import { Form } from '../../components/form.tsx';
import { Link } from '../../components/link.tsx';
import { NewPasswordField } from '../../components/password-fields.tsx';
import { useFormState } from '../../components/use-form-state.ts';
import { useTitle } from '../../components/use-title.ts';
import { userErrorFields } from '../../graphql/errors.ts';
import { graphql } from '../../graphql/graphql.ts';
import { t } from '../../language/texts.ts';
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

export function ResetPasswordPage() {
  useTitle(t.signIn.setANewPassword);
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
          {t.signIn.yourPasswordWasChanged}
        </Title>
        <Text role="status">{fillText(t.signIn.allSessionsOfWere, { email })}</Text>
        <Text>
          <Link to="/">{t.signIn.signIn}</Link>
        </Text>
      </CenteredPage>
    );
  return (
    <CenteredPage>
      <Title order={1} size="h3">
        {t.signIn.setANewPassword}
      </Title>
      <Form state={formState} onSubmit={submit}>
        <NewPasswordField
          label={t.signIn.newPassword}
          name="newPassword"
          error={formState.fieldErrors.newPassword}
          isFirst
        />
        <Button type="submit" loading={fetching} fullWidth>
          {t.signIn.setPassword}
        </Button>
        <Text size="sm" ta="center">
          <Link to="/forgot-password">{t.signIn.requestAnotherLink}</Link>
        </Text>
      </Form>
    </CenteredPage>
  );
}
