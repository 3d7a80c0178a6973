import { Select, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { fillText } from '../../../language/fill-text.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { getAmount } from '../../components/form.tsx';
import { useMutationAction } from '../../components/use-mutation-action.ts';
import { userErrorFields } from '../../graphql/errors.ts';
import { graphql, type VariablesOf } from '../../graphql/graphql.ts';
import { t } from '../../language/texts.ts';
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
  { value: 'exact', label: t.charge.exactAmount },
  { value: 'underpaid', label: t.charge.underpayment },
  { value: 'overpaid', label: t.charge.overpayment },
  { value: 'late', label: t.charge.paymentAfterExpiry },
  { value: 'duplicate_payment', label: t.charge.paymentReportedTwice },
  { value: 'missing_reference', label: t.charge.noReference },
  { value: 'mistyped_reference', label: t.charge.mistypedReference },
  { value: 'wrong_currency', label: t.charge.differentCurrency },
  { value: 'reversed', label: t.charge.paymentReversedByThe },
];

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
      label={t.charge.simulatePayment}
      title={t.charge.simulatePayment}
      confirmLabel={t.charge.simulate}
      variant="default"
      onConfirm={submit}
    >
      <Text size="sm">{t.charge.simulatesABankTransfer}</Text>
      <Select
        label={t.charge.scenario}
        data={kinds}
        value={kind}
        allowDeselect={false}
        onChange={(value) => value && setKind(value as SimulationKind)}
        data-autofocus
      />
      <TextInput
        label={fillText(t.charge.amount, { customerCurrency: charge.customerCurrency })}
        name="amount"
        description={t.charge.leaveEmptyToUse}
        inputMode="decimal"
      />
    </ConfirmButton>
  );
}
