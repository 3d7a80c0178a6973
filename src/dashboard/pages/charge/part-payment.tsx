import { Alert, Button, CopyButton, Group, NativeSelect, Text } from '@mantine/core';
import { fillText } from '../../../language/fill-text.ts';
import { ConfirmButton, rowButtonProps } from '../../components/confirm-button.tsx';
import { getText } from '../../components/form.tsx';
import { useMutationAction } from '../../components/use-mutation-action.ts';
import { formatAmount, isNegative, isZero, sumDecimals } from '../../format/amount.ts';
import { pluralize } from '../../format/count.ts';
import { formatMoment } from '../../format/moment.ts';
import { userErrorFields } from '../../graphql/errors.ts';
import { graphql } from '../../graphql/graphql.ts';
import { t } from '../../language/texts.ts';
import { useHasPermission } from '../../viewer.ts';
import type { ChargeDetails } from './charge-query.ts';

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

const extendChargeMutation = graphql(
  `
    mutation ExtendCharge($input: ExtendChargeInput!) {
      extendCharge(input: $input) {
        __typename
        ... on ExtendChargeSuccess {
          charge {
            id
            status
            expiresAt
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
  const { paymentUrl, outstandingMessage } = charge;
  return (
    <Alert color="amber" variant="light" title={t.common.partlyPaid} mb="lg">
      <Text size="sm">
        {fillText(getExplanation(charge), {
          received: format(received),
          missing: format(getMissing(charge, received)),
          time: formatMoment(charge.expiresAt),
        })}
      </Text>
      {outstandingMessage !== null && <OutstandingMessage text={outstandingMessage} />}
      <Group gap="sm" mt="sm">
        {outstandingMessage !== null && (
          <CopyTextButton label={t.charge.copyMessage} text={outstandingMessage} />
        )}
        {paymentUrl !== null && <CopyTextButton label={t.charge.copyPaymentLink} text={paymentUrl} />}
        <ExtendButton charge={charge} received={received} onChanged={onChanged} />
        <AcceptButton charge={charge} received={received} onChanged={onChanged} />
      </Group>
    </Alert>
  );
}

/** Returns what an open or ended charge has received and what it released, or null if there is none. */
function getPartReceived(charge: ChargeDetails): string | null {
  if (charge.status === 'completed') return null;
  const received = sumDecimals([charge.amountReceived, charge.amountReleased ?? '0']);
  return isZero(received) ? null : received;
}

function getMissing({ customerAmount }: ChargeDetails, received: string): string {
  const missing = sumDecimals([customerAmount, `-${received}`]);
  return isNegative(missing) ? '0' : missing;
}

function getExplanation(charge: ChargeDetails): string {
  if (charge.paymentUrl !== null) return t.charge.thePaymentPageAsks;
  return canExtend(charge) ? t.charge.theChargeExpiredPartly : t.charge.thePartPaymentIs;
}

/** The customer of a subscription pays an expired charge on the page of its invoice. */
function canExtend({ status, subscription }: ChargeDetails): boolean {
  return status === 'pending' || (status === 'expired' && subscription === null);
}

function OutstandingMessage({ text }: { text: string }) {
  return (
    <>
      <Text size="sm" fw={600} mt="sm">
        {t.charge.messageForTheCustomer}
      </Text>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {text}
      </Text>
    </>
  );
}

function CopyTextButton({ label, text }: { label: string; text: string }) {
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <Button {...rowButtonProps} onClick={copy}>
          {copied ? t.common.copied : label}
        </Button>
      )}
    </CopyButton>
  );
}

const dayChoices = [1, 3, 7, 14];

function ExtendButton({ charge, received, onChanged }: PartPaymentProps & { received: string }) {
  const canManageTransfers = useHasPermission('transfers');
  const extend = useMutationAction(extendChargeMutation, onChanged);
  if (!canManageTransfers || !canExtend(charge)) return null;
  const missing = formatAmount(getMissing(charge, received), charge.customerCurrency);
  const isOpen = charge.status === 'pending';
  return (
    <ConfirmButton
      {...rowButtonProps}
      label={isOpen ? t.charge.giveMoreTime : t.charge.askForTheRest}
      title={fillText(isOpen ? t.charge.giveMoreTimeToPay : t.charge.askForTheRemaining, { missing })}
      onConfirm={(form) => extend({ input: { id: charge.id, days: Number(getText(form, 'days')) } })}
    >
      <NativeSelect
        name="days"
        label={t.charge.timeToPay}
        defaultValue="3"
        data={dayChoices.map((days) => ({ value: String(days), label: pluralize(days, t.common.dayCount) }))}
      />
      <Text size="sm">{fillText(t.charge.thePaymentPageWillAsk, { missing })}</Text>
    </ConfirmButton>
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
