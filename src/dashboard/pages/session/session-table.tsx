import { Group } from '@mantine/core';
import { payerText } from '../../format/payer.ts';
import { amountColumn, madeColumn } from '../../parts/columns.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Link } from '../../parts/link.tsx';
import { ShareLink } from '../../parts/share-link.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { isOpen, type SessionRow } from './session-row.ts';

const columns: Column<SessionRow>[] = [
  {
    title: 'For',
    cell: (session) => (
      <Link to={`/sessions/${session.id}`} fw={600} lineClamp={2}>
        {purposeText(session)}
      </Link>
    ),
  },
  { title: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  amountColumn(),
  madeColumn(),
  { title: 'Go on', end: true, buttons: true, cell: (session) => <WayOn session={session} /> },
];

export function SessionTable({ sessions }: { sessions: readonly SessionRow[] }) {
  return <DataTable label="Sessions" columns={columns} rows={sessions} />;
}

/** Its address while it can be paid by; afterwards its charge. */
function WayOn({ session }: { session: SessionRow }) {
  if (session.charge) return <Link to={`/charges/${session.charge.id}`}>Show charge</Link>;
  if (!isOpen(session)) return null;
  return (
    <Group gap={6} justify="flex-end" wrap="nowrap">
      <ShareLink url={session.checkoutUrl} />
    </Group>
  );
}

/** What or whom it is for, by the best name there is. */
function purposeText({ orders, customer }: SessionRow): string {
  const names = orders.map(({ name }) => name).filter(Boolean);
  if (names.length > 0) return names.join(', ');
  return customer ? payerText(customer) : 'Any order';
}
