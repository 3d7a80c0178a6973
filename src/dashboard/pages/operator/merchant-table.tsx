import { Group } from '@mantine/core';
import { fillText } from '../../../language/fill-text.ts';
import { Amount } from '../../components/amount.tsx';
import { DataTable, type TableColumn } from '../../components/data-table.tsx';
import { DemoBadge } from '../../components/demo-badge.tsx';
import { Link } from '../../components/link.tsx';
import { Moment } from '../../components/moment.tsx';
import { Muted } from '../../components/muted.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { TwoLines } from '../../components/two-lines.tsx';
import { pluralize } from '../../format/count.ts';
import { t } from '../../language/texts.ts';
import { MerchantStatus } from './merchant-status.tsx';
import type { MerchantRow } from './merchants-query.ts';

export function MerchantTable({ merchants }: { merchants: readonly MerchantRow[] }) {
  return <DataTable label={t.operator.merchants} hasLabels columns={columns} rows={merchants} />;
}

const columns: TableColumn<MerchantRow>[] = [
  {
    title: t.operator.merchant,
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
    title: t.common.status,
    cell: (merchant) =>
      merchant.movedTo === null ? (
        <MerchantStatus merchant={merchant} />
      ) : (
        <TwoLines below={fillText(t.operator.movedToAddress, { address: merchant.movedTo })}>
          <MerchantStatus merchant={merchant} />
        </TwoLines>
      ),
  },
  {
    title: t.operator.restrictedAccess,
    cell: ({ restrictedAccess }) => <StatusBadge status={`access_${restrictedAccess}`} />,
  },
  {
    title: t.operator.volume30Days,
    isEndAligned: true,
    cell: ({ activity }) =>
      activity && (
        <TwoLines below={pluralize(activity.chargeCount, t.common.paymentCount)} isEndAligned>
          <Amount value={activity.volumeUsd} currency="USD" />
        </TwoLines>
      ),
  },
  {
    title: t.operator.lastCharge,
    isEndAligned: true,
    cell: ({ activity }) => (
      <Muted>{activity?.lastChargeAt ? <Moment at={activity.lastChargeAt} /> : t.common.none}</Muted>
    ),
  },
  {
    title: t.common.created,
    isEndAligned: true,
    cell: ({ createdAt }) => (
      <Muted>
        <Moment at={createdAt} format="day" />
      </Muted>
    ),
  },
];
