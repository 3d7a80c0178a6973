import { Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { toLocalTime } from '../../../kit/local-time.ts';
import { fillText } from '../../../language/fill-text.ts';
import { ConfirmDialog, rowButtonProps } from '../../components/confirm-button.tsx';
import { getText } from '../../components/form.tsx';
import { useMutationAction } from '../../components/use-mutation-action.ts';
import { isZero } from '../../format/amount.ts';
import { t } from '../../language/texts.ts';
import { useTransferSearch } from '../search/search-query.ts';
import { AssignDialog } from './assign-button.tsx';
import { DuplicateExplanation } from './duplicate-explanation.tsx';
import { TransferPicker } from './transfer-picker.tsx';
import { markAsDuplicateMutation, type TransferDetails } from './transfer-query.ts';
import { getTransferTitle, type TransferRow } from './transfer-row.ts';

type MarkAsDuplicateProps = { transfer: TransferDetails; onChanged: () => void };

/**
 * Marks a transfer as the duplicate of `original` or, if it is missing, of one that the user chooses. The dialog also
 * leads to the assignment, because a customer may have paid twice.
 */
function MarkAsDuplicate(
  props: MarkAsDuplicateProps & { original?: TransferRow; sameAmount?: readonly TransferRow[] },
) {
  const { transfer, original, sameAmount = [], onChanged } = props;
  const [opened, { open, close }] = useDisclosure();
  const [isAssigning, assigning] = useDisclosure();
  const markAsDuplicate = useMutationAction(markAsDuplicateMutation, onChanged);
  const submit = async (form: FormData) => {
    const duplicateOfId = original?.id ?? getText(form, 'duplicateOfId');
    if (duplicateOfId === '') return t.transfer.chooseTheOriginalTransfer;
    return markAsDuplicate({ input: { id: transfer.id, duplicateOfId } });
  };
  const assign = () => {
    close();
    assigning.open();
  };
  const canAssign = !isZero(transfer.amountUnallocated);
  return (
    <>
      <Button
        variant="default"
        onClick={open}
        {...(original && {
          ...rowButtonProps,
          'aria-label': fillText(t.transfer.markAsDuplicateOf, { candidate: getTransferTitle(original) }),
        })}
      >
        {t.transfer.markAsDuplicate}
      </Button>
      <ConfirmDialog
        title={t.transfer.markAsDuplicateTitle}
        confirmLabel={t.transfer.markAsDuplicate}
        opened={opened}
        onClose={close}
        onConfirm={submit}
      >
        <DuplicateExplanation canAssign={canAssign} />
        {canAssign && (
          <Group>
            <Button variant="default" size="xs" onClick={assign}>
              {t.transfer.assignInstead}
            </Button>
          </Group>
        )}
        {original === undefined && (
          <TransferPicker
            name="duplicateOfId"
            sameAmount={sameAmount}
            isOffered={(other) => canBeSamePayment(transfer, other)}
          />
        )}
      </ConfirmDialog>
      {canAssign && (
        <AssignDialog
          transfer={transfer}
          opened={isAssigning}
          onClose={assigning.close}
          onChanged={onChanged}
        />
      )}
    </>
  );
}

/** Marks a transfer as the duplicate of one that its source or file may have reported again. */
export function MarkAsDuplicateOfButton(props: MarkAsDuplicateProps & { original: TransferRow }) {
  return <MarkAsDuplicate {...props} />;
}

/**
 * Marks a transfer as the duplicate of one that the user chooses. A transfer for a paid charge usually is a second
 * payment, so the button is only shown for it if an equal transfer exists.
 */
export function MarkAsDuplicateButton(props: MarkAsDuplicateProps) {
  const { transfer } = props;
  const sameAmount = useTransferSearch(transfer.amount).items ?? [];
  const isSecondPayment = transfer.reason === 'charge_completed';
  if (isSecondPayment && !sameAmount.some((other) => canBeSamePayment(transfer, other))) return null;
  return <MarkAsDuplicate {...props} sameAmount={sameAmount} />;
}

/** Whether two transfers may report the same payment. For a paid charge, they must have the same day and text. */
function canBeSamePayment(transfer: TransferRow, other: TransferRow): boolean {
  const isSameMoney =
    other.id !== transfer.id &&
    other.amount === transfer.amount &&
    other.currency === transfer.currency &&
    other.direction === transfer.direction &&
    other.receivingAccount.id === transfer.receivingAccount.id;
  if (!isSameMoney || transfer.reason !== 'charge_completed') return isSameMoney;
  const { timeZone } = transfer.receivingAccount;
  // A transfer with only a date belongs to that date in every time zone.
  const toDay = ({ paidAt, isPaidAtDateOnly }: TransferRow) =>
    (isPaidAtDateOnly ? paidAt : toLocalTime(new Date(paidAt), timeZone)).slice(0, 10);
  return toDay(other) === toDay(transfer) && other.reference.trim() === transfer.reference.trim();
}
