import { Group, Paper, Stack, Text } from '@mantine/core';
import { payerText } from '../../format/payer.ts';
import { capitalised } from '../../format/words.ts';
import { Amount } from '../../parts/amount.tsx';
import { Link } from '../../parts/link.tsx';
import { Moment } from '../../parts/moment.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { useMay } from '../../viewer.ts';
import { AssignButton } from './assign-button.tsx';
import type { TransferDetails } from './transfer-query.ts';

type Suggestion = TransferDetails['suggestions'][number];

const reasonTexts: Record<Suggestion['reasons'][number], string> = {
  same_nonce: 'its word is in the reference',
  near_nonce: 'its word is one typing error away',
  same_payer: 'the payer has its customer’s name',
  same_amount: 'it asks exactly this amount',
};

/** The charges that may have been meant; a person decides. */
export function TransferSuggestions(props: { transfer: TransferDetails; onChanged: () => void }) {
  const { transfer, onChanged } = props;
  const mayTransfer = useMay('transfers');
  if (transfer.suggestions.length === 0) {
    return (
      <Text size="sm" c="var(--causeway-muted)">
        No charge suggests itself.
      </Text>
    );
  }
  return (
    <Stack gap="sm" component="ul" p={0} m={0} style={{ listStyle: 'none' }} aria-label="Suggestions">
      {transfer.suggestions.map(({ charge, reasons }) => (
        <Paper key={charge.id} component="li" withBorder p="sm">
          <Group justify="space-between" align="center" gap="sm">
            <Stack gap={2} flex="1 1 14rem" miw={0}>
              <Group gap="xs">
                <Link to={`/charges/${charge.id}`} fw={600}>
                  {payerText(charge)}
                </Link>
                <StatusBadge status={charge.status} />
              </Group>
              <Text size="sm" component="div">
                <Amount value={charge.customerAmount} currency={charge.customerCurrency} />, made{' '}
                <Moment at={charge.createdAt} />
              </Text>
              <Text size="sm" c="var(--causeway-muted)">
                {sentence(reasons.map((reason) => reasonTexts[reason] ?? reason))}
              </Text>
            </Stack>
            {mayTransfer && <AssignButton transfer={transfer} charge={charge} onChanged={onChanged} />}
          </Group>
        </Paper>
      ))}
    </Stack>
  );
}

function sentence(parts: string[]): string {
  return `${capitalised(new Intl.ListFormat('en').format(parts))}.`;
}
