import { Alert, Button, CopyButton, Group, Text } from '@mantine/core';
import { fillText } from '../../../language/fill-text.ts';
import { ConfirmButton, rowButtonProps } from '../../components/confirm-button.tsx';
import { useMutationAction } from '../../components/use-mutation-action.ts';
import { formatAmount, isNegative, isZero, sumDecimals } from '../../format/amount.ts';
import { formatMoment } from '../../format/moment.ts';
import { userErrorFields } from '../../graphql/errors.ts';
import { graphql } from '../../graphql/graphql.ts';
import { t } from '../../language/texts.ts';
import { useHasPermission } from '../../viewer.ts';
import type { ChargeDetails } from './charge-query.ts';
import { getReleasedAmount } from './get-released-amount.ts';

const acceptShortfallMutation = graphql(
  `
    mutation AcceptShortfall($input: AcceptShortfallInput!) {
      acceptShortfall(input: $input) {
        __typename
        ... on AcceptShortfallSuccess {
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

type PartPaymentProps = { charge: ChargeDetails; onChanged: () => void };

/** Shows a charge that was paid only in part, and how to get the rest or do without it. */
export function PartPayment({ charge, onChanged }: PartPaymentProps) {
  const received = getPartReceived(charge);
  if (received === null) return null;
  const format = (amount: string) => formatAmount(amount, charge.customerCurrency);
  const { paymentUrl } = charge;
  const text = paymentUrl === null ? t.charge.thePartPaymentIs : t.charge.thePaymentPageAsks;
  return (
    <Alert color="amber" variant="light" title={t.common.partlyPaid} mb="lg">
      <Text size="sm">
        {fillText(text, {
          received: format(received),
          missing: format(getMissing(charge, received)),
          time: formatMoment(charge.expiresAt),
        })}
      </Text>
      <Group gap="sm" mt="sm">
        {paymentUrl !== null && <CopyPaymentLink url={paymentUrl} />}
        <AcceptButton charge={charge} received={received} onChanged={onChanged} />
      </Group>
    </Alert>
  );
}

/** Returns what an open or ended charge has received and what it released, or null if there is none. */
function getPartReceived(charge: ChargeDetails): string | null {
  if (charge.status === 'completed') return null;
  const received = sumDecimals([charge.amountReceived, getReleasedAmount(charge)]);
  return isZero(received) ? null : received;
}

function getMissing({ customerAmount }: ChargeDetails, received: string): string {
  const missing = sumDecimals([customerAmount, `-${received}`]);
  return isNegative(missing) ? '0' : missing;
}

function CopyPaymentLink({ url }: { url: string }) {
  return (
    <CopyButton value={url}>
      {({ copied, copy }) => (
        <Button {...rowButtonProps} onClick={copy}>
          {copied ? t.common.copied : t.charge.copyPaymentLink}
        </Button>
      )}
    </CopyButton>
  );
}

function AcceptButton({ charge, received, onChanged }: PartPaymentProps & { received: string }) {
  const canManageTransfers = useHasPermission('transfers');
  const accept = useMutationAction(acceptShortfallMutation, onChanged);
  if (!canManageTransfers) return null;
  const format = (amount: string) => formatAmount(amount, charge.customerCurrency);
  return (
    <ConfirmButton
      {...rowButtonProps}
      label={t.charge.acceptAsPaid}
      title={fillText(t.charge.acceptAsFullPayment, { received: format(received) })}
      onConfirm={() => accept({ input: { id: charge.id } })}
    >
      <Text size="sm">
        {fillText(t.charge.theChargeIsCompleted, { missing: format(getMissing(charge, received)) })}
      </Text>
    </ConfirmButton>
  );
}
