import { Alert, Button, Stack, Text } from '@mantine/core';
import { useMutation } from 'urql';
import { Loaded } from '../../components/loaded.tsx';
import { Moment } from '../../components/moment.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Refused } from '../../components/refused.tsx';
import { Section } from '../../components/section.tsx';
import { useOutcome } from '../../components/use-outcome.ts';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { refusalFields } from '../../graphql/refusal.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useIsOwner } from '../../viewer.ts';
import { AccessMonths } from './access-months.tsx';
import { OperationNames } from './operation-names.tsx';

const access = graphql(`
  fragment Access on Merchant {
    id
    restrictedAccess
    accessRequestedAt
    accessDeclineReason
    switchedOff
    accessMonths {
      month
      volume
      missing
    }
  }
`);

const accessQuery = graphql(
  `
    query Access {
      me {
        ...Access
      }
    }
  `,
  [access],
);

const requestMutation = graphql(
  `
    mutation RequestRestrictedAccess {
      requestRestrictedAccess {
        __typename
        ... on RequestRestrictedAccessSuccess {
          merchant {
            ...Access
          }
        }
        ...Refusal
      }
    }
  `,
  [access, refusalFields],
);

type Access = ResultOf<typeof access>;

/** Which operations are open to the merchant, and how to get those that are restricted. */
export default function AccessPage() {
  const read = useRead(accessQuery);
  return (
    <>
      <PageHeader
        title="API access"
        text="In live mode, creating charges over the API, phone verification and the interface’s strings require restricted access. In the sandbox, every API key can use them."
      />
      <Loaded read={read} lines={8}>
        {({ me }) => (
          <Stack gap="lg">
            <State access={me} />
            <Section title="Volume of the last six full months" flush>
              <AccessMonths months={me.accessMonths} />
            </Section>
            {me.switchedOff.length > 0 && (
              <Section title="Disabled for your account">
                <Text size="sm" mb="xs">
                  The operator of this service has disabled these operations, in GraphQL and REST.
                </Text>
                <OperationNames operations={me.switchedOff} />
              </Section>
            )}
          </Stack>
        )}
      </Loaded>
    </>
  );
}

function State({ access: { restrictedAccess, accessRequestedAt, accessDeclineReason } }: { access: Access }) {
  const isOwner = useIsOwner();
  return (
    <Section title="Restricted operations">
      <Stack align="flex-start" gap="sm">
        {restrictedAccess === 'granted' && <Text>You have access.</Text>}
        {restrictedAccess === 'requested' && (
          <Text>
            You requested access
            {accessRequestedAt !== null && (
              <>
                {' '}
                on <Moment at={accessRequestedAt} form="day" />
              </>
            )}
            . Your volume is too low in some months, so the operator of this service will review your request.
          </Text>
        )}
        {restrictedAccess === 'none' && accessDeclineReason === null && (
          <Text>You don’t have access yet.</Text>
        )}
        {accessDeclineReason !== null && (
          <Alert color="amber" variant="light" title="Access declined" w="100%">
            {accessDeclineReason}
          </Alert>
        )}
        {restrictedAccess !== 'granted' && isOwner && <Ask again={restrictedAccess === 'requested'} />}
        {restrictedAccess !== 'granted' && !isOwner && (
          <Text size="sm" c="var(--causeway-muted)">
            Only owners can request access.
          </Text>
        )}
      </Stack>
    </Section>
  );
}

function Ask({ again }: { again: boolean }) {
  const [{ fetching }, request] = useMutation(requestMutation);
  const { refusal, take } = useOutcome();
  const ask = async () => take(await request({}));
  return (
    <>
      <Refused text={refusal} />
      <Button onClick={ask} loading={fetching} variant={again ? 'default' : 'filled'}>
        {again ? 'Recalculate' : 'Request access'}
      </Button>
    </>
  );
}
