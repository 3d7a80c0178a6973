import { Alert, Button, Text, TextInput, Title } from '@mantine/core';
import { useMutation } from 'urql';
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

/** The page that an invitation link opens, with the form to create the user. */
export function InvitationPage({ onAccepted }: { onAccepted: () => void }) {
  useTitle('Invitation');
  const token = useLinkToken();
  const query = useCachedQuery(invitationQuery, { token });
  const isExpired = query.error?.graphQLErrors.some(({ extensions }) => extensions.code === 'link_invalid');
  if (isExpired)
    return (
      <CenteredPage>
        <Title order={1} size="h3">
          This invitation is no longer valid
        </Title>
        <Alert color="amber" variant="light">
          It was accepted, withdrawn or resent, or is more than seven days old. Ask the person who invited you
          to send it again.
        </Alert>
        <Text size="sm">
          <Link to="/">Go to sign-in</Link>
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
        Join {invitation.merchantName}
      </Title>
      <Text>
        You are invited as <strong>{roleTexts[invitation.role].name}</strong>:{' '}
        {roleTexts[invitation.role].text} You will sign in as {invitation.email}.
      </Text>
      <Form state={formState} onSubmit={submit}>
        <TextInput
          label="Your name"
          name="name"
          autoComplete="name"
          maxLength={80}
          error={formState.fieldErrors.name}
          required
          autoFocus
          withAsterisk={false}
        />
        <HiddenUserName email={invitation.email} />
        <NewPasswordField label="Password" name="password" error={formState.fieldErrors.password} />
        <Button type="submit" loading={fetching} fullWidth>
          Accept invitation
        </Button>
      </Form>
    </>
  );
}
