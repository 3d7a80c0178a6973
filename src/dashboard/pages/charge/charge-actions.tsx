import { Alert, Text } from '@mantine/core';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { useMutationAction } from '../../components/use-mutation-action.ts';
import { isZero } from '../../format/amount.ts';
import { userErrorFields } from '../../graphql/errors.ts';
import { graphql } from '../../graphql/graphql.ts';
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

/** The actions on a pending charge: complete it in the sandbox, or cancel it. */
export function ChargeActions({ charge }: { charge: ChargeDetails }) {
  const { mode } = useMode();
  const canWrite = useHasPermission('write');
  if (charge.status !== 'pending' || !canWrite) return null;
  return (
    <>
      {mode === 'sandbox' && <CompleteButton charge={charge} />}
      <CancelButton charge={charge} />
    </>
  );
}

function CompleteButton({ charge }: { charge: ChargeDetails }) {
  const complete = useMutationAction(completeChargeMutation);
  return (
    <ConfirmButton
      label="Complete"
      title="Complete this charge?"
      confirmLabel="Complete charge"
      onConfirm={() => complete({ input: { id: charge.id } })}
    >
      <Text size="sm">
        The charge is marked as paid without a transfer. The customer’s page is updated and notifications are
        sent. This cannot be undone.
      </Text>
    </ConfirmButton>
  );
}

function CancelButton({ charge }: { charge: ChargeDetails }) {
  const cancel = useMutationAction(cancelChargeMutation);
  return (
    <ConfirmButton
      label="Cancel charge"
      title="Cancel this charge?"
      cancelLabel="Keep charge"
      variant="default"
      isDanger
      onConfirm={() => cancel({ input: { id: charge.id } })}
    >
      <Text size="sm">
        The customer’s page will show that the charge was cancelled. Money that arrives later must be assigned
        manually.
      </Text>
      {!isZero(charge.amountReceived) && (
        <Alert color="amber" variant="light">
          Part of the amount has already arrived. It will need to be assigned manually.
        </Alert>
      )}
    </ConfirmButton>
  );
}
