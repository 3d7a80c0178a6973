import { Button, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ConfirmDialog } from '../../components/confirm-button.tsx';
import { getText } from '../../components/form.tsx';
import { Link } from '../../components/link.tsx';
import { useMutationAction } from '../../components/use-mutation-action.ts';
import { pluralize } from '../../format/count.ts';
import { fillNodes } from '../../language/fill-nodes.tsx';
import { t } from '../../language/texts.ts';
import { dismissTransfersMutation } from './transfer-query.ts';

type DismissProps = { ids: readonly string[]; rulePath?: string; onChanged: () => void };

export function DismissDialog(props: DismissProps & { opened: boolean; onClose: () => void }) {
  const { ids, rulePath, onChanged, opened, onClose } = props;
  const dismiss = useMutationAction(dismissTransfersMutation, onChanged);
  return (
    <ConfirmDialog
      title={ids.length === 1 ? t.transfer.markAsNotA : pluralize(ids.length, t.transfer.markTransfersAsNot)}
      confirmLabel={t.transfer.dismiss}
      opened={opened}
      onClose={onClose}
      onConfirm={(form) => dismiss({ input: { ids: [...ids], note: getText(form, 'note') || null } })}
    >
      <Text size="sm">{t.transfer.forInterestYourOwn}</Text>
      <TextInput
        label={t.common.note}
        name="note"
        placeholder={t.transfer.interest}
        maxLength={500}
        data-autofocus
      />
      {rulePath !== undefined && (
        <Text size="sm">
          {fillNodes(t.transfer.doYouSeeSuch, {
            link: <Link to={rulePath}>{t.transfer.alwaysIgnoreThem}</Link>,
          })}
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
        {t.transfer.dismiss}
      </Button>
      <DismissDialog {...props} opened={opened} onClose={close} />
    </>
  );
}
