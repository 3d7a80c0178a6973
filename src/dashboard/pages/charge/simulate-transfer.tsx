import { Select, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { getAmount } from '../../components/form.tsx';
import { useMutationAction } from '../../components/use-mutation-action.ts';
import { userErrorFields } from '../../graphql/errors.ts';
import { graphql, type VariablesOf } from '../../graphql/graphql.ts';
import { useMode } from '../../use-mode.ts';
import { useHasPermission } from '../../viewer.ts';
import type { ChargeDetails } from './charge-query.ts';

const simulateTransferMutation = graphql(
  `
    mutation SimulateTransfer($input: SimulateTransferInput!) {
      simulateTransfer(input: $input) {
        __typename
        ... on SimulateTransferSuccess {
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

type SimulationKind = VariablesOf<typeof simulateTransferMutation>['input']['kind'];

const kinds: { value: SimulationKind; label: string }[] = [
  { value: 'exact', label: 'Exact amount' },
  { value: 'underpaid', label: 'Underpayment' },
  { value: 'overpaid', label: 'Overpayment' },
  { value: 'late', label: 'Payment after expiry' },
  { value: 'duplicate_payment', label: 'Payment reported twice' },
  { value: 'missing_reference', label: 'No reference' },
  { value: 'mistyped_reference', label: 'Mistyped reference' },
  { value: 'wrong_currency', label: 'Different currency' },
  { value: 'reversed', label: 'Payment reversed by the bank' },
];

/** Simulates a bank transfer in the sandbox, including every kind of mismatch. */
export function SimulateTransferButton({ charge, onDone }: { charge: ChargeDetails; onDone: () => void }) {
  const { mode } = useMode();
  const canManageTransfers = useHasPermission('transfers');
  const simulate = useMutationAction(simulateTransferMutation, onDone);
  const [kind, setKind] = useState<SimulationKind>('exact');
  if (mode !== 'sandbox' || !canManageTransfers) return null;
  const submit = (form: FormData) => {
    const amount = getAmount(form, 'amount', charge.customerCurrency) || null;
    return simulate({ input: { chargeId: charge.id, kind, amount } });
  };
  return (
    <ConfirmButton
      label="Simulate payment"
      title="Simulate payment"
      confirmLabel="Simulate"
      variant="default"
      onConfirm={submit}
    >
      <Text size="sm">Simulates a bank transfer. Unmatched transfers appear under Transfers.</Text>
      <Select
        label="Scenario"
        data={kinds}
        value={kind}
        allowDeselect={false}
        onChange={(value) => value && setKind(value as SimulationKind)}
        data-autofocus
      />
      <TextInput
        label={`Amount (${charge.customerCurrency})`}
        name="amount"
        description="Leave empty to use the amount of the scenario"
        inputMode="decimal"
      />
    </ConfirmButton>
  );
}
