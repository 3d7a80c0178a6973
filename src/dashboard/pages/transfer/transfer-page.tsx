import { Grid, Stack, Text } from '@mantine/core';
import { formatAmount, isZero } from '../../format/amount.ts';
import { useLive } from '../../graphql/use-live.ts';
import { useRead } from '../../graphql/use-read.ts';
import { BackLink } from '../../parts/back-link.tsx';
import { CopyText } from '../../parts/copy-text.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { NoSuch } from '../../parts/no-such.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Section } from '../../parts/section.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { TransferActions } from './transfer-actions.tsx';
import { TransferCounts } from './transfer-counts.tsx';
import { TransferFacts } from './transfer-facts.tsx';
import { type TransferDetails, transferQuery } from './transfer-query.ts';
import { transferReasonText } from './transfer-reasons.ts';
import { transfersUpdated } from './transfer-row.ts';
import { TransferSuggestions } from './transfer-suggestions.tsx';

/** One transfer: what came, what it counts for, and what to decide. */
export default function TransferPage({ id }: { id: string }) {
  const read = useRead(transferQuery, { id });
  useLive(transfersUpdated, {}, read.refresh);
  return (
    <Loaded read={read} lines={10}>
      {({ transfer }) =>
        transfer ? <Details transfer={transfer} onChanged={read.refresh} /> : <NoSuch noun="transfer" />
      }
    </Loaded>
  );
}

function Details({ transfer, onChanged }: { transfer: TransferDetails; onChanged: () => void }) {
  const waits = transfer.status === 'exception';
  return (
    <>
      <BackLink to="/transfers">Transfers</BackLink>
      <PageHeader
        title={formatAmount(transfer.amount, transfer.currency)}
        noun="Transfer"
        badge={<StatusBadge status={transfer.status} />}
        text={<CopyText text={transfer.id} what="transfer id" />}
      >
        {waits && <TransferActions transfer={transfer} onChanged={onChanged} />}
      </PageHeader>
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Section title="What came">
            <TransferFacts transfer={transfer} />
          </Section>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Stack gap="lg">
            {waits && (
              <Section title="Waits for you">
                <Stack gap="md">
                  <Text size="sm">{transfer.reason && transferReasonText(transfer.reason)}.</Text>
                  {!isZero(transfer.amountOpen) && (
                    <TransferSuggestions transfer={transfer} onChanged={onChanged} />
                  )}
                </Stack>
              </Section>
            )}
            <Section title="What it counts for">
              <TransferCounts transfer={transfer} onChanged={onChanged} />
            </Section>
          </Stack>
        </Grid.Col>
      </Grid>
    </>
  );
}
