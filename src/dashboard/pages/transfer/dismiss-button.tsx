import { Button, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ConfirmDialog } from '../../components/confirm-button.tsx';
import { getText } from '../../components/form.tsx';
import { Link } from '../../components/link.tsx';
import { useMutationAction } from '../../components/use-mutation-action.ts';
import { formatCount } from '../../format/count.ts';
import { dismissTransfersMutation } from './transfer-query.ts';

type DismissProps = { ids: readonly string[]; rulePath?: string; onChanged: () => void };

export function DismissDialog(props: DismissProps & { opened: boolean; onClose: () => void }) {
  const { ids, rulePath, onChanged, opened, onClose } = props;
  const dismiss = useMutationAction(dismissTransfersMutation, onChanged);
  return (
    <ConfirmDialog
      title={
        ids.length === 1
          ? 'Mark as not a customer payment?'
          : `Mark ${formatCount(ids.length)} transfers as not customer payments?`
      }
      confirmLabel="Dismiss"
      opened={opened}
      onClose={onClose}
      onConfirm={(form) => dismiss({ input: { ids: [...ids], note: getText(form, 'note') || null } })}
    >
      <Text size="sm">
        For interest, your own transfers and other money that isn’t from a customer. It stays on the account
        but no longer needs review. You can undo this on the transfer’s page.
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
