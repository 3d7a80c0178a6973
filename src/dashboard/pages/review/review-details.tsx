import { Group, Stack, Text, Title } from '@mantine/core';
import { Link } from '../../components/link.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Moment } from '../../components/moment.tsx';
import { Muted } from '../../components/muted.tsx';
import { formatAmount, isZero } from '../../format/amount.ts';
import { formatMethod } from '../../format/labels.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { t } from '../../language/texts.ts';
import { AssignDialog } from '../transfer/assign-button.tsx';
import { DuplicateCandidates } from '../transfer/duplicate-candidates.tsx';
import { ReviewNote } from '../transfer/review-note.tsx';
import { ReviewReason } from '../transfer/review-reason.tsx';
import { TransferActions } from '../transfer/transfer-actions.tsx';
import { type TransferDetails, transferQuery } from '../transfer/transfer-query.ts';
import { getTransferTitle } from '../transfer/transfer-row.ts';
import { TransferSuggestions } from '../transfer/transfer-suggestions.tsx';

type ReviewDetailsProps = {
  id: string;
  /** Whether the dialog to assign the transfer is open. */
  isAssigning: boolean;
  onAssigned: () => void;
  onChanged: () => void;
};

export function ReviewDetails({ id, ...props }: ReviewDetailsProps) {
  const query = useCachedQuery(transferQuery, { id });
  const change = () => {
    query.refresh();
    props.onChanged();
  };
  return (
    <Loaded query={query} lines={6}>
      {({ transfer }) =>
        transfer && <Details transfer={transfer} onEdited={query.refresh} {...props} onChanged={change} />
      }
    </Loaded>
  );
}

function Details(
  props: Omit<ReviewDetailsProps, 'id'> & { transfer: TransferDetails; onEdited: () => void },
) {
  const { transfer, isAssigning, onAssigned, onChanged, onEdited } = props;
  const { id, amount, currency, paidAt, isPaidAtDateOnly, payerName, reference, receivingAccount } = transfer;
  const canAssign = !isZero(transfer.amountUnallocated);
  return (
    <Stack gap="md">
      <Group justify="space-between" align="baseline" gap="sm">
        <Title order={2} size="h4">
          {formatAmount(amount, currency)}
        </Title>
        <Link to={`/transfers/${id}`} size="sm">
          {t.review.allDetails}
        </Link>
      </Group>
      <div>
        <Text size="sm" fw={600}>
          {getTransferTitle(transfer)}
        </Text>
        {payerName && reference && (
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {reference}
          </Text>
        )}
        <Muted>
          <Moment at={paidAt} format={isPaidAtDateOnly ? 'date' : 'short'} /> ·{' '}
          {formatMethod(receivingAccount.method)} · {receivingAccount.account}
        </Muted>
      </div>
      <ReviewReason transfer={transfer} />
      <ReviewNote transfer={transfer} onChanged={onEdited} />
      <TransferActions transfer={transfer} onChanged={onChanged} />
      <DuplicateCandidates transfer={transfer} onChanged={onChanged} />
      {canAssign && <TransferSuggestions transfer={transfer} onChanged={onChanged} />}
      {canAssign && (
        <AssignDialog transfer={transfer} opened={isAssigning} onClose={onAssigned} onChanged={onChanged} />
      )}
    </Stack>
  );
}
