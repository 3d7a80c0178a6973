import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useClient } from 'urql';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { getErrorMessage, userErrorFields } from '../../graphql/errors.ts';
import { graphql, type VariablesOf } from '../../graphql/graphql.ts';
import { t } from '../../language/texts.ts';

const createChargeMutation = graphql(
  `
    mutation CreateSampleCharge($input: CreateChargeInput!) {
      createCharge(input: $input) {
        __typename
        ... on CreateChargeSuccess {
          charge {
            id
          }
        }
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);

const simulateMutation = graphql(
  `
    mutation SimulateSampleTransfer($input: SimulateTransferInput!) {
      simulateTransfer(input: $input) {
        __typename
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);

type ChargeInput = VariablesOf<typeof createChargeMutation>['input'];
type SampleSimulationKind = VariablesOf<typeof simulateMutation>['input']['kind'];

/** Invented charges that show the usual outcomes. Without a payment, the charge stays pending. */
const samples: [input: ChargeInput, payment?: SampleSimulationKind][] = [
  [toInput('mei.lin@example.com', 'fps', '128.50', 'HKD', t.home.dragonWellTea), 'exact'],
  [toInput('somchai@example.com', 'prompt_pay', '950', 'THB', t.home.porcelainGaiwan), 'exact'],
  [toInput('aisyah@example.com', 'duit_now', '86.40', 'MYR', t.home.teaSampler), 'exact'],
  [toInput('jack@example.com', 'paynow', '42', 'SGD', t.home.jasminePearls), 'overpaid'],
  [toInput('hoa.nguyen@example.com', 'viettel_pay', '420000', 'VND', t.home.lotusTea), 'underpaid'],
  [toInput('ada@example.com', 'fps', '64', 'HKD', t.home.teaStrainer), 'missing_reference'],
  [toInput('kim@example.com', 'fps', '310', 'HKD', t.home.castIronPot)],
];

function toInput(
  email: string,
  method: ChargeInput['method'],
  amount: string,
  currency: string,
  name: string,
): ChargeInput {
  return {
    email,
    method,
    merchantAmount: amount,
    merchantCurrency: currency,
    orders: [{ name, quantity: 1, amount }],
  };
}

/** With sample charges and payments in the sandbox, new merchants can explore the dashboard. */
export function SampleDataButton({ onCreated }: { onCreated: () => void }) {
  const client = useClient();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const createAll = async () => {
    for (const [input, payment] of samples) {
      const response = await client.mutation(createChargeMutation, { input }).toPromise();
      const result = response.data?.createCharge;
      if (result?.__typename !== 'CreateChargeSuccess') return getErrorMessage(response);
      if (payment === undefined) continue;
      const simulation = { input: { chargeId: result.charge.id, kind: payment } };
      const errorMessage = getErrorMessage(await client.mutation(simulateMutation, simulation).toPromise());
      if (errorMessage !== undefined) return errorMessage;
    }
    return undefined;
  };
  const run = async () => {
    setBusy(true);
    setError(await createAll());
    setBusy(false);
    onCreated();
  };
  return (
    <>
      <ErrorAlert text={error} />
      <Group gap="sm">
        <Button variant="default" loading={isBusy} onClick={run}>
          {t.home.addSampleData}
        </Button>
        <Text size="sm" c="var(--causeway-muted)">
          {t.home.addsSevenInventedCharges}
        </Text>
      </Group>
    </>
  );
}
