import { Button, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ConfirmDialog } from '../../components/confirm-button.tsx';
import { getText } from '../../components/form.tsx';
import { Link } from '../../components/link.tsx';
import { useMutationAction } from '../../components/use-mutation-action.ts';
import { formatCount } from '../../format/count.ts';
import { dismissTransfersMutation } from './transfer-query.ts';

type DismissProps = { ids: readonly string[]; rulePath?: string; onChanged: () => void };

/** Asks before transfers are recorded as no customer payments. */
export function DismissDialog(props: DismissProps & { opened: boolean; onClose: () => void }) {
  const { ids, rulePath, onChanged, opened, onClose } = props;
  const dismiss = useMutationAction(dismissTransfersMutation, onChanged);
  return (
    <ConfirmDialog
      title={
        ids.length === 1
          ? 'Not a customer payment?'
          : `Are these ${formatCount(ids.length)} transfers no customer payments?`
      }
      confirmLabel="Dismiss"
      opened={opened}
      onClose={onClose}
      onConfirm={(form) => dismiss({ input: { ids: [...ids], note: getText(form, 'note') || null } })}
    >
      <Text size="sm">
        For interest, your own transfers and other money that no customer owes you. It stays on the account
        and leaves the review. You can undo this on the page of the transfer.
      </Text>
      <TextInput label="Note" name="note" placeholder="Interest" maxLength={500} data-autofocus />
      {rulePath !== undefined && (
        <Text size="sm">
          Do you see such transfers often? <Link to={rulePath}>Always ignore them</Link>
        </Text>
      )}
    </ConfirmDialog>
  );
}

export function DismissButton(props: DismissProps) {
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant="default" onClick={open}>
        Not a customer payment
      </Button>
      <DismissDialog {...props} opened={opened} onClose={close} />
    </>
  );
}
