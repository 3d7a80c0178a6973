import { Group, Paper, Stack, Text } from '@mantine/core';
import { Amount } from '../../components/amount.tsx';
import { Link } from '../../components/link.tsx';
import { Moment } from '../../components/moment.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { fillNodes } from '../../language/fill-nodes.tsx';
import { t } from '../../language/texts.ts';
import { useHasPermission } from '../../viewer.ts';
import { MarkAsDuplicateOfButton } from './mark-as-duplicate-button.tsx';
import type { TransferDetails } from './transfer-query.ts';
import { getTransferTitle, sourceTexts } from './transfer-row.ts';

type DuplicateCandidate = TransferDetails['duplicateCandidates'][number];

export function DuplicateCandidates(props: { transfer: TransferDetails; onChanged: () => void }) {
  const { transfer, onChanged } = props;
  const canManageTransfers = useHasPermission('transfers');
  if (transfer.duplicateCandidates.length === 0) return null;
  return (
    <Stack gap="xs">
      <Text size="sm" fw={600}>
        {t.transfer.recordedEarlier}
      </Text>
      <Stack
        gap="sm"
        component="ul"
        p={0}
        m={0}
        style={{ listStyle: 'none' }}
        aria-label={t.transfer.recordedEarlier}
      >
        {transfer.duplicateCandidates.map((candidate) => (
          <Paper key={candidate.id} component="li" withBorder p="sm">
            <Group justify="space-between" align="center" gap="sm">
              <CandidateSummary candidate={candidate} />
              {canManageTransfers && transfer.allocations.length === 0 && (
                <MarkAsDuplicateOfButton transfer={transfer} original={candidate} onChanged={onChanged} />
              )}
            </Group>
          </Paper>
        ))}
      </Stack>
    </Stack>
  );
}

function CandidateSummary({ candidate }: { candidate: DuplicateCandidate }) {
  const { id, status, amount, currency, reference, payerName, paidAt, isPaidAtDateOnly, source, statement } =
    candidate;
  return (
    <Stack gap={2} flex="1 1 14rem" miw={0}>
      <Group gap="xs">
        <Link to={`/transfers/${id}`} fw={600}>
          {getTransferTitle(candidate)}
        </Link>
        <Amount value={amount} currency={currency} />
        <StatusBadge status={status} />
      </Group>
      <Text size="sm" component="div">
        {fillNodes(t.transfer.paid, {
          moment: <Moment at={paidAt} format={isPaidAtDateOnly ? 'date' : 'short'} />,
          link: statement ? (
            <Link to={`/statements/${statement.id}`}>{statement.fileName}</Link>
          ) : (
            sourceTexts[source]
          ),
        })}
      </Text>
      {payerName && reference && (
        <Text size="sm" c="var(--causeway-muted)" style={{ overflowWrap: 'anywhere' }}>
          {reference}
        </Text>
      )}
    </Stack>
  );
}
