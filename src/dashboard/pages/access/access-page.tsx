import { Alert, Button, Stack, Text } from '@mantine/core';
import { useMutation } from 'urql';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Moment } from '../../components/moment.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Section } from '../../components/section.tsx';
import { useFormState } from '../../components/use-form-state.ts';
import { userErrorFields } from '../../graphql/errors.ts';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { useIsOwner } from '../../viewer.ts';
import { MonthlyVolumes } from './monthly-volumes.tsx';
import { OperationNames } from './operation-names.tsx';

const accessFields = graphql(`
  fragment Access on Merchant {
    id
    restrictedAccess
    restrictedAccessRequestedAt
    restrictedAccessDeclineReason
    disabledOperations
    monthlyVolumes {
      month
      volumeUsd
      shortfallUsd
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
  [accessFields],
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
        ...UserErrorFields
      }
    }
  `,
  [accessFields, userErrorFields],
);

type Access = ResultOf<typeof accessFields>;

/** Shows the operations that the merchant may use, and how to get access to restricted ones. */
export default function AccessPage() {
  const query = useCachedQuery(accessQuery);
  return (
    <>
      <PageHeader
        title="API access"
        text="In live mode, you need access to create charges via the API, verify phone numbers and read the texts of the customer pages. In the sandbox, every API key can use these operations."
      />
      <Loaded query={query} lines={8}>
        {({ me }) => (
          <Stack gap="lg">
            <AccessState access={me} />
            <Section title="Volume of the last six full months" isFlush>
              <MonthlyVolumes months={me.monthlyVolumes} isGranted={me.restrictedAccess === 'granted'} />
            </Section>
            {me.disabledOperations.length > 0 && (
              <Section title="Disabled for your account">
                <Text size="sm" mb="xs">
                  The operator of this service has disabled these operations, in GraphQL and REST.
                </Text>
                <OperationNames operations={me.disabledOperations} />
              </Section>
            )}
          </Stack>
        )}
      </Loaded>
    </>
  );
}

function AccessState({
  access: { restrictedAccess, restrictedAccessRequestedAt, restrictedAccessDeclineReason },
}: {
  access: Access;
}) {
  const isOwner = useIsOwner();
  return (
    <Section title="Restricted operations">
      <Stack align="flex-start" gap="sm">
        {restrictedAccess === 'granted' && <Text>You have access.</Text>}
        {restrictedAccess === 'requested' && (
          <Text>
            You requested access
            {restrictedAccessRequestedAt !== null && (
              <>
                {' '}
                on <Moment at={restrictedAccessRequestedAt} format="day" />
              </>
            )}
            . Your volume is too low in some months, so the operator of this service will review your request.
          </Text>
        )}
        {restrictedAccess === 'none' && restrictedAccessDeclineReason === null && (
          <Text>You don’t have access yet.</Text>
        )}
        {restrictedAccessDeclineReason !== null && (
          <Alert color="amber" variant="light" title="Access declined" w="100%">
            {restrictedAccessDeclineReason}
          </Alert>
        )}
        {restrictedAccess !== 'granted' && isOwner && (
          <RequestAccess isRepeat={restrictedAccess === 'requested'} />
        )}
        {restrictedAccess !== 'granted' && !isOwner && (
          <Text size="sm" c="var(--causeway-muted)">
            Only owners can request access.
          </Text>
        )}
      </Stack>
    </Section>
  );
}

function RequestAccess({ isRepeat }: { isRepeat: boolean }) {
  const [{ fetching }, request] = useMutation(requestMutation);
  const { error, handleResult } = useFormState();
  const requestAccess = async () => handleResult(await request({}));
  return (
    <>
      <ErrorAlert text={error} />
      <Button onClick={requestAccess} loading={fetching} variant={isRepeat ? 'default' : 'filled'}>
        {isRepeat ? 'Recalculate' : 'Request access'}
      </Button>
    </>
  );
}
