import { Alert, Button, Text, TextInput, Title } from '@mantine/core';
import { useMutation } from 'urql';
import { fillText } from '../../../language/fill-text.ts';
import { Form } from '../../components/form.tsx';
import { Link } from '../../components/link.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { HiddenUserName, NewPasswordField } from '../../components/password-fields.tsx';
import { roleTexts } from '../../components/role-texts.ts';
import { useFormState } from '../../components/use-form-state.ts';
import { useTitle } from '../../components/use-title.ts';
import { userErrorFields } from '../../graphql/errors.ts';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { fillNodes } from '../../language/fill-nodes.tsx';
import { t } from '../../language/texts.ts';
import { CenteredPage } from '../../shell/centered-page.tsx';
import { useLinkToken } from './use-link-token.ts';

const invitationQuery = graphql(`
  query InvitationPreview($token: String!) {
    invitationPreview(token: $token) {
      merchantName
      email
      role
    }
  }
`);

const acceptInvitationMutation = graphql(
  `
    mutation AcceptInvitation($input: AcceptInvitationInput!) {
      acceptInvitation(input: $input) {
        __typename
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);

type InvitationDetails = ResultOf<typeof invitationQuery>['invitationPreview'];

export function InvitationPage({ onAccepted }: { onAccepted: () => void }) {
  useTitle(t.signIn.invitation);
  const token = useLinkToken();
  const query = useCachedQuery(invitationQuery, { token });
  const isExpired = query.error?.graphQLErrors.some(({ extensions }) => extensions.code === 'link_invalid');
  if (isExpired)
    return (
      <CenteredPage>
        <Title order={1} size="h3">
          {t.signIn.thisInvitationIsNo}
        </Title>
        <Alert color="amber" variant="light">
          {t.signIn.itWasAcceptedWithdrawn}
        </Alert>
        <Text size="sm">
          <Link to="/">{t.signIn.goToSignIn}</Link>
        </Text>
      </CenteredPage>
    );
  return (
    <CenteredPage>
      <Loaded query={query}>
        {({ invitationPreview }) => (
          <AcceptInvitation invitation={invitationPreview} token={token} onAccepted={onAccepted} />
        )}
      </Loaded>
    </CenteredPage>
  );
}

function AcceptInvitation(props: { invitation: InvitationDetails; token: string; onAccepted: () => void }) {
  const { invitation, token, onAccepted } = props;
  const [{ fetching }, accept] = useMutation(acceptInvitationMutation);
  const formState = useFormState(['name', 'password']);

  const submit = async (form: FormData) => {
    const input = { token, name: String(form.get('name')), password: String(form.get('password')) };
    if (formState.handleResult(await accept({ input }))) onAccepted();
  };

  return (
    <>
      <Title order={1} size="h3">
        {fillText(t.signIn.join, { merchantName: invitation.merchantName })}
      </Title>
      <Text>
        {fillNodes(t.signIn.youAreInvitedAs, {
          role: <strong>{roleTexts[invitation.role].name}</strong>,
          abilities: roleTexts[invitation.role].text,
          email: invitation.email,
        })}
      </Text>
      <Form state={formState} onSubmit={submit}>
        <TextInput
          label={t.signIn.yourName}
          name="name"
          autoComplete="name"
          maxLength={80}
          error={formState.fieldErrors.name}
          required
          autoFocus
          withAsterisk={false}
        />
        <HiddenUserName email={invitation.email} />
        <NewPasswordField label={t.common.password} name="password" error={formState.fieldErrors.password} />
        <Button type="submit" loading={fetching} fullWidth>
          {t.signIn.acceptInvitation}
        </Button>
      </Form>
    </>
  );
}
