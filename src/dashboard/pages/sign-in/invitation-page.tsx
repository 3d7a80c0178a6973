import { Alert, Button, Text, TextInput, Title } from '@mantine/core';
import { useMutation } from 'urql';
import { Form } from '../../components/form.tsx';
import { Link } from '../../components/link.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { HiddenUserName, NewPasswordField } from '../../components/password-fields.tsx';
import { roleTexts } from '../../components/role-texts.ts';
import { useOutcome } from '../../components/use-outcome.ts';
import { useTitle } from '../../components/use-title.ts';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { refusalFields } from '../../graphql/refusal.ts';
import { useRead } from '../../graphql/use-read.ts';
import { CenteredPage } from '../../shell/centered-page.tsx';
import { useLinkToken } from './use-link-token.ts';

const offerQuery = graphql(`
  query InvitationOffer($token: String!) {
    invitationOffer(token: $token) {
      merchantName
      email
      role
    }
  }
`);

const acceptMutation = graphql(
  `
    mutation AcceptInvitation($input: AcceptInvitationInput!) {
      acceptInvitation(input: $input) {
        __typename
        ...Refusal
      }
    }
  `,
  [refusalFields],
);

type Offer = ResultOf<typeof offerQuery>['invitationOffer'];

/** Where the link of an invitation leads: who invites to what, and the form that makes one a user. */
export function InvitationPage({ onAccepted }: { onAccepted: () => void }) {
  useTitle('Invitation');
  const token = useLinkToken();
  const read = useRead(offerQuery, { token });
  const isOver = read.error?.graphQLErrors.some(({ extensions }) => extensions.code === 'link_invalid');
  if (isOver)
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
      <Loaded read={read}>
        {({ invitationOffer }) => <Accept offer={invitationOffer} token={token} onAccepted={onAccepted} />}
      </Loaded>
    </CenteredPage>
  );
}

function Accept(props: { offer: Offer; token: string; onAccepted: () => void }) {
  const { offer, token, onAccepted } = props;
  const [{ fetching }, accept] = useMutation(acceptMutation);
  const outcome = useOutcome(['name', 'password']);

  const submit = async (form: FormData) => {
    const input = { token, name: String(form.get('name')), password: String(form.get('password')) };
    if (outcome.take(await accept({ input }))) onAccepted();
  };

  return (
    <>
      <Title order={1} size="h3">
        Join {offer.merchantName}
      </Title>
      <Text>
        You are invited as <strong>{roleTexts[offer.role].name}</strong>: {roleTexts[offer.role].text} You
        will sign in as {offer.email}.
      </Text>
      <Form outcome={outcome} onSubmit={submit}>
        <TextInput
          label="Your name"
          name="name"
          autoComplete="name"
          maxLength={80}
          error={outcome.faults.name}
          required
          autoFocus
          withAsterisk={false}
        />
        <HiddenUserName email={offer.email} />
        <NewPasswordField label="Password" name="password" fault={outcome.faults.password} />
        <Button type="submit" loading={fetching} fullWidth>
          Accept invitation
        </Button>
      </Form>
    </>
  );
}
