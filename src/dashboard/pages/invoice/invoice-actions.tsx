import { Button, Menu, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ConfirmDialog } from '../../components/confirm-button.tsx';
import { getText } from '../../components/form.tsx';
import { useMutationAction } from '../../components/use-mutation-action.ts';
import { useHasPermission } from '../../viewer.ts';
import {
  type InvoiceDetails,
  markInvoicePaidMutation,
  resendInvoiceMutation,
  voidInvoiceMutation,
} from './invoices-query.ts';

type InvoiceAction = 'resend' | 'markPaid' | 'void';

/** A menu with the actions on an open invoice. */
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
          <Button variant="default">Actions</Button>
        </Menu.Target>
        <Menu.Dropdown>
          {invoice.subscription.email !== null && (
            <Menu.Item onClick={() => setAction('resend')}>Send again…</Menu.Item>
          )}
          <Menu.Item onClick={() => setAction('markPaid')}>Mark as paid…</Menu.Item>
          <Menu.Item color="red" onClick={() => setAction('void')}>
            Void…
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ConfirmDialog
        title="Send this invoice again?"
        confirmLabel="Send again"
        opened={action === 'resend'}
        onClose={close}
        onConfirm={() => resend({ input: { id: invoice.id } })}
      >
        <Text size="sm">
          We’ll email it to {invoice.subscription.email}. If its payment details have expired, new ones are
          created. You can send an invoice again once an hour.
        </Text>
      </ConfirmDialog>
      <MarkPaidDialog id={invoice.id} opened={action === 'markPaid'} onClose={close} onChanged={onChanged} />
      <VoidDialog invoice={invoice} opened={action === 'void'} onClose={close} onChanged={onChanged} />
    </>
  );
}

type ActionDialogProps = { opened: boolean; onClose: () => void; onChanged: () => void };

function MarkPaidDialog({ id, opened, onClose, onChanged }: ActionDialogProps & { id: string }) {
  const markPaid = useMutationAction(markInvoicePaidMutation, onChanged);
  return (
    <ConfirmDialog
      title="Mark this invoice as paid?"
      confirmLabel="Mark as paid"
      opened={opened}
      onClose={onClose}
      onConfirm={(form) => {
        const note = getText(form, 'note');
        return markPaid({ input: { id, ...(note && { note }) } });
      }}
    >
      <Text size="sm">
        Use this for money that you received elsewhere, such as cash. The subscription continues as after a
        payment, and the open charge is cancelled. This cannot be undone.
      </Text>
      <TextInput
        label="Note"
        description="For the audit log, without personal data. Optional."
        name="note"
        maxLength={200}
      />
    </ConfirmDialog>
  );
}

function VoidDialog({
  invoice,
  opened,
  onClose,
  onChanged,
}: ActionDialogProps & { invoice: InvoiceDetails }) {
  const voidInvoice = useMutationAction(voidInvoiceMutation, onChanged);
  const [choice, setChoice] = useState('reissue');
  const isActive = invoice.subscription.status === 'active';
  return (
    <ConfirmDialog
      title="Void this invoice?"
      confirmLabel="Void invoice"
      isDanger
      opened={opened}
      onClose={onClose}
      onConfirm={() => voidInvoice({ input: { id: invoice.id, isReissued: choice === 'reissue' } })}
    >
      <Radio.Group label="What happens next" value={choice} onChange={setChoice}>
        <Stack gap="xs" mt="xs">
          <Radio
            value="reissue"
            label="Replace it with a corrected invoice"
            description="With a new number, the current terms and your current details"
          />
          <Radio
            value="void"
            label="Don’t ask for this payment"
            description={
              isActive
                ? 'The customer gets the billing period for free'
                : 'The subscription stays paused until the customer pays'
            }
          />
        </Stack>
      </Radio.Group>
      <Text size="sm">If the plan sends emails, the customer is informed. This cannot be undone.</Text>
    </ConfirmDialog>
  );
}
