import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useMutation } from 'urql';
import { fillText } from '../../../language/fill-text.ts';
import { CreateDialog } from '../../components/create-dialog.tsx';
import { Form, getAmount, getText, SubmitButton } from '../../components/form.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { isMailDelivered } from '../../components/mail-notice.tsx';
import { useFocusOnMount } from '../../components/use-focus-on-mount.ts';
import { useFormState } from '../../components/use-form-state.ts';
import { formatAmount, isNegative, isZero, sumDecimals, toFieldAmount } from '../../format/amount.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { t } from '../../language/texts.ts';
import { useHasPermission } from '../../viewer.ts';
import type { ChargeDetails } from '../charge/charge-query.ts';
import { CustomerLink } from './customer-link.tsx';
import { createRefundMutation, refundLinkQuery } from './refund-query.ts';
import { RefundReasonFields } from './refund-reason-fields.tsx';
import type { RefundReasonCode } from './refund-reason-texts.ts';

type NewRefundButtonProps = { charge: ChargeDetails; onCreated: () => void };

/** The button is shown while a refundable amount is left. */
export function NewRefundButton({ charge, onCreated }: NewRefundButtonProps) {
  const canRefund = useHasPermission('refund');
  const [opened, dialog] = useDisclosure();
  const { amountRefundable } = charge;
  if (!canRefund || amountRefundable === null || (isZero(amountRefundable) && !opened)) return null;
  return (
    <>
      <Button variant="default" onClick={dialog.open}>
        {t.refund.refund}
      </Button>
      <CreateDialog<string>
        opened={opened}
        onClose={dialog.close}
        title={t.refund.refundThisCharge}
        createdTitle={t.refund.refundCreated}
        onCreated={onCreated}
        form={(onRefundCreated) => (
          <RefundForm {...{ charge, amountRefundable }} onCreated={onRefundCreated} />
        )}
      >
        {(id, close) => <RefundCreated charge={charge} id={id} onClose={close} />}
      </CreateDialog>
    </>
  );
}

function RefundForm(props: {
  charge: ChargeDetails;
  amountRefundable: string;
  onCreated: (id: string) => void;
}) {
  const { charge, amountRefundable, onCreated } = props;
  const { id, customerCurrency, email } = charge;
  const overpaid = getOverpaidAmount(charge, amountRefundable);
  const [{ fetching }, create] = useMutation(createRefundMutation);
  const [reason, setReason] = useState<RefundReasonCode | null>(null);
  const formState = useFormState(['customerAmount']);
  const submit = async (form: FormData) => {
    const customerAmount = formState.read(() => getAmount(form, 'customerAmount', customerCurrency));
    if (customerAmount === undefined) return;
    const note = getText(form, 'note') || null;
    const response = await create({ input: { chargeId: id, customerAmount, reason, note } });
    formState.handleResult(response);
    const result = response.data?.createRefund;
    if (result?.__typename === 'CreateRefundSuccess') onCreated(result.refund.id);
  };
  return (
    <Form state={formState} onSubmit={submit}>
      <Text size="sm">
        {fillText(t.refund.youThenSendThe, {
          linkHint:
            email !== null && isMailDelivered
              ? fillText(t.refund.wellEmailALink, { email })
              : t.refund.youGetALink,
        })}
      </Text>
      <TextInput
        label={fillText(t.refund.amount, { customerCurrency })}
        description={fillText(overpaid === null ? t.refund.canBeRefunded : t.refund.wasOverpaid, {
          amountRefundable: formatAmount(amountRefundable, customerCurrency),
          overpaid: overpaid === null ? '' : formatAmount(overpaid, customerCurrency),
        })}
        name="customerAmount"
        error={formState.fieldErrors.customerAmount}
        inputMode="decimal"
        defaultValue={toFieldAmount(overpaid ?? amountRefundable, customerCurrency)}
        onFocus={(event) => event.currentTarget.select()}
        required
        withAsterisk={false}
        data-autofocus
      />
      <RefundReasonFields reason={reason} onReasonChange={setReason} />
      <SubmitButton isBusy={fetching}>{t.refund.createRefund}</SubmitButton>
    </Form>
  );
}

/** Returns the amount above the price that is not refunded yet, or null if there is none. */
function getOverpaidAmount({ customerAmount }: ChargeDetails, amountRefundable: string): string | null {
  const overpaid = sumDecimals([amountRefundable, `-${customerAmount}`]);
  return isZero(overpaid) || isNegative(overpaid) ? null : overpaid;
}

function RefundCreated(props: { charge: ChargeDetails; id: string; onClose: () => void }) {
  const { charge, id, onClose } = props;
  const query = useCachedQuery(refundLinkQuery, { id });
  const button = useFocusOnMount<HTMLButtonElement>();
  return (
    <Stack>
      <Text size="sm">
        {charge.email !== null && isMailDelivered
          ? fillText(t.refund.wereEmailingThisLink, { email: charge.email })
          : t.refund.sendThisLinkTo}
      </Text>
      <Loaded query={query} lines={1}>
        {({ refund }) => refund && <CustomerLink url={refund.detailsUrl} refresh={query.refresh} />}
      </Loaded>
      <Group justify="flex-end">
        <Button onClick={onClose} ref={button}>
          {t.common.done}
        </Button>
      </Group>
    </Stack>
  );
}
