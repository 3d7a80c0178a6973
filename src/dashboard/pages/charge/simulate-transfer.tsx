import { Select, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { amountOf } from '../../components/form.tsx';
import { useAct } from '../../components/use-act.ts';
import { graphql, type VariablesOf } from '../../graphql/graphql.ts';
import { refusalFields } from '../../graphql/refusal.ts';
import { useMode } from '../../use-mode.ts';
import { useMay } from '../../viewer.ts';
import type { ChargeDetails } from './charge-query.ts';

const simulateMutation = graphql(
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
        ...Refusal
      }
    }
  `,
  [refusalFields],
);

type Kind = VariablesOf<typeof simulateMutation>['input']['kind'];

const kinds: { value: Kind; label: string }[] = [
  { value: 'exact', label: 'Exact amount' },
  { value: 'short', label: 'Underpayment' },
  { value: 'over', label: 'Overpayment' },
  { value: 'late', label: 'Payment after expiry' },
  { value: 'twice', label: 'Payment reported twice' },
  { value: 'unlabelled', label: 'No reference' },
  { value: 'mistyped', label: 'Mistyped reference' },
  { value: 'wrong_currency', label: 'Different currency' },
  { value: 'reversed', label: 'Payment reversed by the bank' },
];

/** In the sandbox: lets money come as a bank would tell of it, in every way it can go wrong. */
export function SimulateTransferButton({ charge, onDone }: { charge: ChargeDetails; onDone: () => void }) {
  const { mode } = useMode();
  const mayTransfer = useMay('transfers');
  const simulate = useAct(simulateMutation, onDone);
  const [kind, setKind] = useState<Kind>('exact');
  if (mode !== 'sandbox' || !mayTransfer) return null;
  const run = (form: FormData) => {
    const amount = amountOf(form, 'amount', charge.customerCurrency) || null;
    return simulate({ input: { chargeId: charge.id, kind, amount } });
  };
  return (
    <ConfirmButton
      label="Simulate payment"
      title="Simulate payment"
      confirm="Simulate"
      variant="default"
      onConfirm={run}
    >
      <Text size="sm">Simulates a bank transfer. Unmatched transfers appear under Transfers.</Text>
      <Select
        label="Scenario"
        data={kinds}
        value={kind}
        allowDeselect={false}
        onChange={(value) => value && setKind(value as Kind)}
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
