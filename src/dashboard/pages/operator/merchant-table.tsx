import { Group } from '@mantine/core';
import { Amount } from '../../components/amount.tsx';
import { DataTable, type TableColumn } from '../../components/data-table.tsx';
import { DemoBadge } from '../../components/demo-badge.tsx';
import { Link } from '../../components/link.tsx';
import { Moment } from '../../components/moment.tsx';
import { Muted } from '../../components/muted.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { TwoLines } from '../../components/two-lines.tsx';
import { pluralize } from '../../format/count.ts';
import type { MerchantRow } from './merchants-query.ts';

export function MerchantTable({ merchants }: { merchants: readonly MerchantRow[] }) {
  return <DataTable label="Merchants" hasLabels columns={columns} rows={merchants} />;
}

const columns: TableColumn<MerchantRow>[] = [
  {
    title: 'Merchant',
    cell: ({ id, name, isDemo }) => (
      <TwoLines below={id}>
        <Group gap="xs" component="span">
          <Link to={`/merchants/${id}`} fw={600} size="sm">
            {name}
          </Link>
          {isDemo && <DemoBadge />}
        </Group>
      </TwoLines>
    ),
  },
  {
    title: 'Status',
    cell: ({ disabledAt }) => <StatusBadge status={disabledAt === null ? 'active' : 'off'} />,
  },
  {
    title: 'Restricted access',
    cell: ({ restrictedAccess }) => <StatusBadge status={`access_${restrictedAccess}`} />,
  },
  {
    title: 'Volume, 30 days',
    isEndAligned: true,
    cell: ({ activity }) =>
      activity && (
        <TwoLines below={pluralize(activity.chargeCount, 'payment')} isEndAligned>
          <Amount value={activity.volumeUsd} currency="USD" />
        </TwoLines>
      ),
  },
  {
    title: 'Last charge',
    isEndAligned: true,
    cell: ({ activity }) => (
      <Muted>{activity?.lastChargeAt ? <Moment at={activity.lastChargeAt} /> : 'None'}</Muted>
    ),
  },
  {
    title: 'Created',
    isEndAligned: true,
    cell: ({ createdAt }) => (
      <Muted>
        <Moment at={createdAt} format="day" />
      </Muted>
    ),
  },
];
