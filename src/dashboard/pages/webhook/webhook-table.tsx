import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatCount } from '../../format/count.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Link } from '../../parts/link.tsx';
import { Moment } from '../../parts/moment.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { WholeWords } from '../../parts/whole-words.tsx';
import { useMay } from '../../viewer.ts';
import { WebhookActions } from './webhook-actions.tsx';
import type { WebhookRow } from './webhooks-query.ts';

type Props = { webhooks: readonly WebhookRow[]; onChanged: () => void; onSaid: (text: string) => void };

export function WebhookTable({ webhooks, onChanged, onSaid }: Props) {
  const mayManage = useMay('manage');
  const columns: Column<WebhookRow>[] = [
    {
      title: 'Address',
      cell: ({ id, url }) => <Link to={`/notifications?webhook=${id}`}>{url}</Link>,
    },
    { title: 'State', cell: (webhook) => <State webhook={webhook} /> },
    {
      title: 'Hears of',
      cell: (webhook) => <WholeWords>{hearsOf(webhook)}</WholeWords>,
    },
    {
      title: 'Queue',
      end: true,
      cell: ({ waiting }) => <WholeWords>{`${formatCount(waiting)}\u00a0waiting`}</WholeWords>,
    },
    ...(mayManage
      ? [
          {
            title: 'Actions',
            end: true,
            buttons: true,
            cell: (webhook: WebhookRow) => (
              <WebhookActions webhook={webhook} onChanged={onChanged} onSaid={onSaid} />
            ),
          },
        ]
      : []),
  ];
  return <DataTable label="Webhooks" columns={columns} rows={webhooks} />;
}

function State({ webhook }: { webhook: WebhookRow }) {
  const { disabledAt, disabledReason, failingSince } = webhook;
  if (disabledAt !== null) return <WithNote status="off" note={disabledReason} />;
  if (failingSince === null) return <StatusBadge status="working" />;
  return (
    <WithNote
      status="failing"
      note={
        <>
          since <Moment at={failingSince} />
        </>
      }
    />
  );
}

function WithNote({ status, note }: { status: string; note: ReactNode }) {
  return (
    <>
      <StatusBadge status={status} />
      <Text size="xs" c="var(--causeway-muted)" mt={2}>
        {note}
      </Text>
    </>
  );
}

function hearsOf({ version, messages }: WebhookRow): string {
  return messages.length > 0 ? messages.join(', ') : `All of version ${version}`;
}
