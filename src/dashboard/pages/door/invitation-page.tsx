import { Alert, Button, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import type { FormEvent } from 'react';
import { useMutation, useQuery } from 'urql';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { Link } from '../../parts/link.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Refused } from '../../parts/refused.tsx';
import { roleTexts } from '../../parts/role-texts.ts';
import { useOutcome } from '../../parts/use-outcome.ts';
import { useTitle } from '../../parts/use-title.ts';
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

const acceptMutation = graphql(`
  mutation AcceptInvitation($input: AcceptInvitationInput!) {
    acceptInvitation(input: $input) {
      __typename
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

type Offer = ResultOf<typeof offerQuery>['invitationOffer'];

/** Where the link of an invitation leads: who invites to what, and the form that makes one a user. */
export function InvitationPage({ onAccepted }: { onAccepted: () => void }) {
  useTitle('Invitation');
  const token = useLinkToken();
  const [{ data, error }, reload] = useQuery({ query: offerQuery, variables: { token } });
  const isOver = error?.graphQLErrors.some(({ extensions }) => extensions.code === 'link_invalid');
  if (isOver)
    return (
      <CenteredPage>
        <Title order={1} size="h3">
          This invitation counts no more
        </Title>
        <Alert color="amber" variant="light">
          It was accepted or withdrawn, sent again since, or is older than seven days. Ask whoever invited you
          to send it again.
        </Alert>
        <Text size="sm">
          <Link to="/">To sign-in</Link>
        </Text>
      </CenteredPage>
    );
  return (
    <CenteredPage>
      <Loaded data={data} error={error} onRetry={() => reload({ requestPolicy: 'network-only' })}>
        {({ invitationOffer }) => <Accept offer={invitationOffer} token={token} onAccepted={onAccepted} />}
      </Loaded>
    </CenteredPage>
  );
}

function Accept(props: { offer: Offer; token: string; onAccepted: () => void }) {
  const { offer, token, onAccepted } = props;
  const [{ fetching }, accept] = useMutation(acceptMutation);
  const { form: ref, refusal, faults, take } = useOutcome(['name', 'password']);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const input = { token, name: String(form.get('name')), password: String(form.get('password')) };
    if (take(await accept({ input }))) onAccepted();
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
      <form onSubmit={submit} ref={ref}>
        <Stack>
          <Refused text={refusal} />
          <TextInput
            label="Your name"
            name="name"
            autoComplete="name"
            maxLength={80}
            error={faults.name}
            required
            autoFocus
            withAsterisk={false}
          />
          <input type="hidden" name="username" autoComplete="username" value={offer.email} />
          <PasswordInput
            label="Password"
            name="password"
            description="At least 12 characters; a few words in a row are good."
            autoComplete="new-password"
            minLength={12}
            error={faults.password}
            required
            withAsterisk={false}
          />
          <Button type="submit" loading={fetching} fullWidth>
            Accept the invitation
          </Button>
        </Stack>
      </form>
    </>
  );
}
