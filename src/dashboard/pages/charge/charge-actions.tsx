import { Alert, Text } from '@mantine/core';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { useMutationAction } from '../../components/use-mutation-action.ts';
import { isZero } from '../../format/amount.ts';
import { userErrorFields } from '../../graphql/errors.ts';
import { graphql } from '../../graphql/graphql.ts';
import { t } from '../../language/texts.ts';
import { useMode } from '../../use-mode.ts';
import { useHasPermission } from '../../viewer.ts';
import type { ChargeDetails } from './charge-query.ts';

const cancelChargeMutation = graphql(
  `
    mutation CancelCharge($input: CancelChargeInput!) {
      cancelCharge(input: $input) {
        __typename
        ... on CancelChargeSuccess {
          charge {
            id
            status
          }
        }
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);

const completeChargeMutation = graphql(
  `
    mutation CompleteSandboxCharge($input: CompleteSandboxChargeInput!) {
      completeSandboxCharge(input: $input) {
        __typename
        ... on CompleteSandboxChargeSuccess {
          charge {
            id
            status
          }
        }
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);

export function ChargeActions({ charge }: { charge: ChargeDetails }) {
  const { mode } = useMode();
  const canWrite = useHasPermission('write');
  if (charge.status !== 'pending' || !canWrite) return null;
  return (
    <>
      {/* A partly paid charge is accepted as paid instead, which counts the money that has arrived. */}
      {mode === 'sandbox' && isZero(charge.amountReceived) && <CompleteButton charge={charge} />}
      <CancelButton charge={charge} />
    </>
  );
}

function CompleteButton({ charge }: { charge: ChargeDetails }) {
  const complete = useMutationAction(completeChargeMutation);
  return (
    <ConfirmButton
      label={t.charge.complete}
      title={t.charge.completeThisCharge}
      variant="default"
      onConfirm={() => complete({ input: { id: charge.id } })}
    >
      <Text size="sm">{t.charge.theChargeIsMarked}</Text>
    </ConfirmButton>
  );
}

function CancelButton({ charge }: { charge: ChargeDetails }) {
  const cancel = useMutationAction(cancelChargeMutation);
  return (
    <ConfirmButton
      label={t.charge.cancelCharge}
      title={t.charge.cancelThisCharge}
      cancelLabel={t.charge.keepCharge}
      variant="default"
      isDanger
      onConfirm={() => cancel({ input: { id: charge.id } })}
    >
      <Text size="sm">{t.charge.theCustomersPageWill}</Text>
      {!isZero(charge.amountReceived) && (
        <Alert color="amber" variant="light">
          {t.charge.partOfTheAmount}
        </Alert>
      )}
    </ConfirmButton>
  );
}
