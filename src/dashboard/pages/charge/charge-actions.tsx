import { Alert, Text } from '@mantine/core';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { useAct } from '../../components/use-act.ts';
import { isZero } from '../../format/amount.ts';
import { graphql } from '../../graphql/graphql.ts';
import { refusalFields } from '../../graphql/refusal.ts';
import { useMode } from '../../use-mode.ts';
import { useMay } from '../../viewer.ts';
import type { ChargeDetails } from './charge-query.ts';

const cancelMutation = graphql(
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
        ...Refusal
      }
    }
  `,
  [refusalFields],
);

const completeMutation = graphql(
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
        ...Refusal
      }
    }
  `,
  [refusalFields],
);

/** What can be done with a pending charge: complete it in the sandbox, cancel it. */
export function ChargeActions({ charge }: { charge: ChargeDetails }) {
  const { mode } = useMode();
  const mayWrite = useMay('write');
  if (charge.status !== 'pending' || !mayWrite) return null;
  return (
    <>
      {mode === 'sandbox' && <CompleteButton charge={charge} />}
      <CancelButton charge={charge} />
    </>
  );
}

function CompleteButton({ charge }: { charge: ChargeDetails }) {
  const complete = useAct(completeMutation);
  return (
    <ConfirmButton
      label="Complete"
      title="Complete this charge?"
      confirm="Complete charge"
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
  const cancel = useAct(cancelMutation);
  return (
    <ConfirmButton
      label="Cancel charge"
      title="Cancel this charge?"
      keep="Keep charge"
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
