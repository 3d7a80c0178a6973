import { Group, Paper, Stack, Text } from '@mantine/core';
import { fillText } from '../../../language/fill-text.ts';
import { Amount } from '../../components/amount.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { Link } from '../../components/link.tsx';
import { Moment } from '../../components/moment.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useMutationAction } from '../../components/use-mutation-action.ts';
import { formatAmount } from '../../format/amount.ts';
import { formatCode } from '../../format/labels.ts';
import { formatPayer } from '../../format/payer.ts';
import { fillNodes } from '../../language/fill-nodes.tsx';
import { t } from '../../language/texts.ts';
import { useHasPermission } from '../../viewer.ts';
import { getChargeBadge, getRemainingAmount, isPartlyPaid } from '../charge/charge-row.ts';
import { AssignButton } from './assign-button.tsx';
import { splitTransferMutation, type TransferDetails } from './transfer-query.ts';

type ChargeSuggestion = TransferDetails['suggestions'][number];

const suggestionReasonTexts: Record<ChargeSuggestion['reasons'][number], string> = {
  replaced_reference: t.transfer.paymentReferenceOfA,
  same_reference: t.transfer.paymentReferenceMatches,
  similar_reference: t.transfer.paymentReferenceIsOne,
  partial_reference: t.transfer.paymentReferenceBeginsThe,
  undone_payment: t.transfer.aPaymentWasUndone,
  same_amount: t.transfer.amountMatchesExactly,
  same_price: t.transfer.amountIsThePrice,
  close_amount: t.transfer.amountIsAlmostThe,
  known_payer: t.transfer.payerHasPaidFor,
  same_payer: t.transfer.payerNameMatchesThe,
};

/** Texts for a partly paid charge, of which only the remaining amount is compared. */
const partlyPaidReasonTexts: Partial<typeof suggestionReasonTexts> = {
  same_amount: t.transfer.amountIsExactlyTheRest,
  same_price: t.transfer.amountIsTheRestOfThePrice,
  close_amount: t.transfer.amountIsAlmostTheRest,
};

function formatReasons({ charge, reasons }: ChargeSuggestion): string {
  const texts: Partial<typeof suggestionReasonTexts> = isPartlyPaid(charge)
    ? { ...suggestionReasonTexts, ...partlyPaidReasonTexts }
    : suggestionReasonTexts;
  return reasons.map((reason) => texts[reason] ?? formatCode(reason)).join(' · ');
}

export function TransferSuggestions(props: { transfer: TransferDetails; onChanged: () => void }) {
  const { transfer } = props;
  if (transfer.suggestions.length === 0) {
    return (
      <Text size="sm" c="var(--causeway-muted)">
        {t.transfer.noSuggestedMatches}
      </Text>
    );
  }
  return (
    <Stack gap="sm">
      <SplitSuggestion {...props} />
      <Stack
        gap="sm"
        component="ul"
        p={0}
        m={0}
        style={{ listStyle: 'none' }}
        aria-label={t.transfer.suggestions}
      >
        {transfer.suggestions.map((suggestion) => (
          <SuggestionRow key={suggestion.charge.id} suggestion={suggestion} {...props} />
        ))}
      </Stack>
    </Stack>
  );
}

function SuggestionRow(props: {
  suggestion: ChargeSuggestion;
  transfer: TransferDetails;
  onChanged: () => void;
}) {
  const { suggestion, transfer, onChanged } = props;
  const { charge } = suggestion;
  const canManageTransfers = useHasPermission('transfers');
  const format = (amount: string) => formatAmount(amount, charge.customerCurrency);
  return (
    <Paper component="li" withBorder p="sm">
      <Group justify="space-between" align="center" gap="sm">
        <Stack gap={2} flex="1 1 14rem" miw={0}>
          <Group gap="xs">
            <Link to={`/charges/${charge.id}`} fw={600}>
              {formatPayer(charge)}
            </Link>
            <StatusBadge status={getChargeBadge(charge)} />
          </Group>
          <Text size="sm" component="div">
            {fillNodes(t.transfer.created, {
              amount: <Amount value={charge.customerAmount} currency={charge.customerCurrency} />,
              moment: <Moment at={charge.createdAt} />,
            })}
          </Text>
          {isPartlyPaid(charge) && (
            <Text size="sm">
              {fillText(t.charge.partReceived, { amount: format(charge.amountReceived) })} ·{' '}
              {fillText(t.charge.remaining, { amount: format(getRemainingAmount(charge)) })}
            </Text>
          )}
          <Text size="sm" c="var(--causeway-muted)">
            {formatReasons(suggestion)}
          </Text>
        </Stack>
        {canManageTransfers && <AssignButton transfer={transfer} charge={charge} onChanged={onChanged} />}
      </Group>
    </Paper>
  );
}

/** Suggests splitting the transfer across the charges whose references it contains, if they add up to its amount. */
function SplitSuggestion({ transfer, onChanged }: { transfer: TransferDetails; onChanged: () => void }) {
  const canManageTransfers = useHasPermission('transfers');
  const split = useMutationAction(splitTransferMutation, onChanged);
  const { id, currency, suggestedSplit } = transfer;
  if (suggestedSplit.length === 0) return null;
  const parts = suggestedSplit.map(({ charge, amount }) => ({ chargeId: charge.id, amount }));
  const texts = suggestedSplit.map(({ charge, amount }) =>
    fillText(t.transfer.for, { amount: formatAmount(amount, currency), charge: formatPayer(charge) }),
  );
  return (
    <Paper withBorder p="sm" aria-label={t.transfer.suggestedSplit} role="group">
      <Group justify="space-between" align="center" gap="sm">
        <Stack gap={2} flex="1 1 14rem" miw={0}>
          <Text size="sm" fw={600}>
            {texts.join(' · ')}
          </Text>
          <Text size="sm" c="var(--causeway-muted)">
            {t.transfer.theTransferCarriesThe}
          </Text>
        </Stack>
        {canManageTransfers && (
          <ConfirmButton
            label={t.transfer.applySplit}
            title={t.transfer.splitAcrossTheseCharges}
            confirmLabel={t.transfer.split}
            onConfirm={() => split({ input: { id, parts } })}
          >
            <Text size="sm">{t.transfer.theChargesCompleteAnd}</Text>
          </ConfirmButton>
        )}
      </Group>
    </Paper>
  );
}
