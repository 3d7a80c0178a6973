import { Group, Paper, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { counted, formatCount } from '../../format/count.ts';
import { Amount } from '../../parts/amount.tsx';
import { Link } from '../../parts/link.tsx';
import type { Collected } from './collected.ts';

function Figure({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  return (
    <Paper component="section" aria-label={title} withBorder radius="lg" p="lg" bg="var(--causeway-card)">
      <Group justify="space-between" align="flex-start" wrap="nowrap" mb={6}>
        <Text size="sm" c="var(--causeway-muted)">
          {title}
        </Text>
        {aside}
      </Group>
      {children}
    </Paper>
  );
}

function CountCard({ title, count, to }: { title: string; count: number; to: string }) {
  return (
    <Figure
      title={title}
      aside={
        <Link to={to} size="sm" style={{ flexShrink: 0 }}>
          Show
        </Link>
      }
    >
      <Text size="xl" fw={650}>
        {formatCount(count)}
      </Text>
    </Figure>
  );
}

export function OpenChargesCard(props: { count: number }) {
  return <CountCard title="Open charges" to="/charges?status=pending" {...props} />;
}

/** Money that came and waits for a decision. */
export function WaitingTransfersCard(props: { count: number }) {
  return <CountCard title="Waiting transfers" to="/transfers?status=exception" {...props} />;
}

/** Addresses that notifications do not reach, until somebody has seen it. */
export function FailingEndpointsCard(props: { count: number }) {
  return <CountCard title="Alerts" to="/webhooks" {...props} />;
}

export function CollectedCard({ collected }: { collected: readonly Collected[] }) {
  return (
    <Figure title="Collected today">
      {collected.length === 0 && (
        <Text size="lg" fw={650}>
          Nothing yet
        </Text>
      )}
      <Stack gap={2}>
        {collected.map(({ currency, amount, charges }) => (
          <Group key={currency} justify="space-between" gap="sm" align="baseline">
            <Text size="lg" fw={650}>
              <Amount value={amount} currency={currency} />
            </Text>
            <Text size="sm" c="var(--causeway-muted)">
              {counted(charges, 'charge')}
            </Text>
          </Group>
        ))}
      </Stack>
    </Figure>
  );
}
