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
import { fillNodes } from '../../language/fill-nodes.tsx';
import { t } from '../../language/texts.ts';
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

export default function AccessPage() {
  const query = useCachedQuery(accessQuery);
  return (
    <>
      <PageHeader title={t.access.apiAccess} text={t.access.inLiveModeYou} />
      <Loaded query={query} lines={8}>
        {({ me }) => (
          <Stack gap="lg">
            <AccessState access={me} />
            <Section title={t.access.volumeOfTheLast} isFlush>
              <MonthlyVolumes months={me.monthlyVolumes} isGranted={me.restrictedAccess === 'granted'} />
            </Section>
            {me.disabledOperations.length > 0 && (
              <Section title={t.access.disabledForYourAccount}>
                <Text size="sm" mb="xs">
                  {t.access.theOperatorOfThis}
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
    <Section title={t.access.restrictedOperations}>
      <Stack align="flex-start" gap="sm">
        {restrictedAccess === 'granted' && <Text>{t.access.youHaveAccess}</Text>}
        {restrictedAccess === 'requested' && (
          <Text>
            {restrictedAccessRequestedAt === null
              ? t.access.youRequestedAccess
              : fillNodes(t.access.youRequestedAccessOn, {
                  moment: <Moment at={restrictedAccessRequestedAt} format="day" />,
                })}
          </Text>
        )}
        {restrictedAccess === 'none' && restrictedAccessDeclineReason === null && (
          <Text>{t.access.youDontHaveAccess}</Text>
        )}
        {restrictedAccessDeclineReason !== null && (
          <Alert color="amber" variant="light" title={t.access.accessDeclined} w="100%">
            {restrictedAccessDeclineReason}
          </Alert>
        )}
        {restrictedAccess !== 'granted' && isOwner && (
          <RequestAccess isRepeat={restrictedAccess === 'requested'} />
        )}
        {restrictedAccess !== 'granted' && !isOwner && (
          <Text size="sm" c="var(--causeway-muted)">
            {t.access.onlyOwnersCanRequest}
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
        {isRepeat ? t.access.recalculate : t.access.requestAccess}
      </Button>
    </>
  );
}
