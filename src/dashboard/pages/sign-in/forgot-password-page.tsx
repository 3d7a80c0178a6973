import { Button, Text, TextInput, Title } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { fillText } from '../../../language/fill-text.ts';
import { Form } from '../../components/form.tsx';
import { Link } from '../../components/link.tsx';
import { isMailDelivered, MailNotice } from '../../components/mail-notice.tsx';
import { useFormState } from '../../components/use-form-state.ts';
import { useTitle } from '../../components/use-title.ts';
import { userErrorFields } from '../../graphql/errors.ts';
import { graphql } from '../../graphql/graphql.ts';
import { t } from '../../language/texts.ts';
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

/** The response is the same for every address, so that it does not reveal who is a user. */
export function ForgotPasswordPage() {
  useTitle(t.signIn.forgotYourPassword);
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
        {t.signIn.forgotYourPassword}
      </Title>
      <MailNotice />
      {sentTo === undefined ? (
        <Form state={formState} onSubmit={submit}>
          <TextInput
            label={t.common.email}
            name="email"
            type="email"
            description={isMailDelivered ? t.signIn.wellEmailYouA : t.signIn.requestTheLinkThen}
            autoComplete="username"
            error={formState.fieldErrors.email}
            required
            autoFocus
            withAsterisk={false}
          />
          <Button type="submit" loading={fetching} fullWidth>
            {isMailDelivered ? t.signIn.sendLink : t.signIn.requestLink}
          </Button>
        </Form>
      ) : (
        <Text role="status">
          {fillText(isMailDelivered ? t.signIn.ifIsTheAddress : t.signIn.theLinkIsStored, { sentTo })}
        </Text>
      )}
      <Text size="sm" ta="center">
        <Link to="/">{t.signIn.backToSignIn}</Link>
      </Text>
    </CenteredPage>
  );
}
