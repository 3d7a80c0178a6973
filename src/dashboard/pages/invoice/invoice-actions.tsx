import { Button, Menu, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { fillText } from '../../../language/fill-text.ts';
import { ConfirmDialog } from '../../components/confirm-button.tsx';
import { getText } from '../../components/form.tsx';
import { Link } from '../../components/link.tsx';
import { isMailDelivered } from '../../components/mail-notice.tsx';
import { useMutationAction } from '../../components/use-mutation-action.ts';
import { formatAmount } from '../../format/amount.ts';
import { fillNodes } from '../../language/fill-nodes.tsx';
import { t } from '../../language/texts.ts';
import { useHasPermission } from '../../viewer.ts';
import { customerEmailHint } from '../subscription/customer-email-hint.ts';
import {
  type InvoiceDetails,
  markInvoicePaidMutation,
  resendInvoiceMutation,
  voidInvoiceMutation,
} from './invoices-query.ts';

type InvoiceAction = 'resend' | 'markPaid' | 'void';

export function InvoiceActions({ invoice, onChanged }: { invoice: InvoiceDetails; onChanged: () => void }) {
  const canWrite = useHasPermission('write');
  const [action, setAction] = useState<InvoiceAction>();
  const resend = useMutationAction(resendInvoiceMutation, onChanged);
  if (!canWrite || invoice.status !== 'open') return null;
  const close = () => setAction(undefined);
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default">{t.common.actions}</Button>
        </Menu.Target>
        <Menu.Dropdown>
          {invoice.subscription.email !== null && (
            // A disabled item is faint, but the reason must be readable.
            <Menu.Item disabled={!isMailDelivered} opacity={1} onClick={() => setAction('resend')}>
              {t.invoice.sendAgainMenu}
              {!isMailDelivered && (
                <Text size="xs" c="var(--causeway-muted)">
                  {t.components.emailIsNotDelivered}
                </Text>
              )}
            </Menu.Item>
          )}
          <Menu.Item onClick={() => setAction('markPaid')}>{t.invoice.markAsPaidMenu}</Menu.Item>
          <Menu.Item color="red" onClick={() => setAction('void')}>
            {t.invoice.voidMenu}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ConfirmDialog
        title={t.invoice.sendThisInvoiceAgain}
        confirmLabel={t.invoice.sendAgain}
        opened={action === 'resend'}
        onClose={close}
        onConfirm={() => resend({ input: { id: invoice.id } })}
      >
        <Text size="sm">{fillNodes(t.invoice.wellEmailItTo, { email: invoice.subscription.email })}</Text>
      </ConfirmDialog>
      <MarkPaidDialog
        invoice={invoice}
        opened={action === 'markPaid'}
        onClose={close}
        onChanged={onChanged}
      />
      <VoidDialog invoice={invoice} opened={action === 'void'} onClose={close} onChanged={onChanged} />
    </>
  );
}

type InvoiceDialogProps = {
  invoice: InvoiceDetails;
  opened: boolean;
  onClose: () => void;
  onChanged: () => void;
};

function MarkPaidDialog({ invoice, opened, onClose, onChanged }: InvoiceDialogProps) {
  const { id, amount, currency } = invoice;
  const markPaid = useMutationAction(markInvoicePaidMutation, onChanged);
  return (
    <ConfirmDialog
      title={t.invoice.markThisInvoiceAs}
      confirmLabel={t.invoice.markAsPaid}
      opened={opened}
      onClose={onClose}
      onConfirm={(form) => {
        const note = getText(form, 'note');
        return markPaid({ input: { id, ...(note && { note }) } });
      }}
    >
      <Text size="sm">{fillText(t.invoice.useThisForMoney, { amount: formatAmount(amount, currency) })}</Text>
      <TextInput label={t.common.note} description={t.invoice.forTheAuditLog} name="note" maxLength={200} />
    </ConfirmDialog>
  );
}

/** Describes the new invoice and, if it would equal this one, links to the page that changes the plan or the price. */
function ReplacementHint({
  invoice: { planName, amount, currency, subscription },
}: {
  invoice: InvoiceDetails;
}) {
  const { totalAmount, subscriptionPlan } = subscription;
  const isSame = planName === subscriptionPlan.name && Number(totalAmount) === Number(amount);
  return (
    <>
      {fillText(t.invoice.theNewInvoiceHas, {
        amount: formatAmount(totalAmount, currency),
        plan: subscriptionPlan.name,
      })}
      {isSame && (
        <>
          {' '}
          {fillNodes(t.invoice.theSameAsThisInvoice, {
            link: <Link to={`/subscriptions/${subscription.id}`}>{t.invoice.planOrPriceOf}</Link>,
          })}
        </>
      )}
    </>
  );
}

function VoidDialog({ invoice, opened, onClose, onChanged }: InvoiceDialogProps) {
  const voidInvoice = useMutationAction(voidInvoiceMutation, onChanged);
  const [choice, setChoice] = useState('reissue');
  const isActive = invoice.subscription.status === 'active';
  return (
    <ConfirmDialog
      title={t.invoice.voidThisInvoice}
      confirmLabel={t.invoice.voidInvoice}
      cancelLabel={t.invoice.keepInvoice}
      isDanger
      opened={opened}
      onClose={onClose}
      onConfirm={() => voidInvoice({ input: { id: invoice.id, isReissued: choice === 'reissue' } })}
    >
      <Radio.Group label={t.invoice.whatHappensNext} value={choice} onChange={setChoice}>
        <Stack gap="xs" mt="xs">
          <Radio
            value="reissue"
            label={t.invoice.replaceItWithA}
            description={<ReplacementHint invoice={invoice} />}
          />
          <Radio
            value="void"
            label={t.invoice.dontAskForThis}
            description={isActive ? t.invoice.theCustomerGetsThe : t.invoice.theSubscriptionStaysPaused}
          />
        </Stack>
      </Radio.Group>
      <Text size="sm">{fillText(t.invoice.cannotBeUndone, { emailHint: customerEmailHint })}</Text>
    </ConfirmDialog>
  );
}
