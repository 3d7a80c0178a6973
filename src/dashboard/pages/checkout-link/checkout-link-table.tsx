import { Group, Text } from '@mantine/core';
import { counted, formatCount } from '../../format/count.ts';
import { amountColumn, madeColumn } from '../../parts/columns.tsx';
import { EndButton } from '../../parts/confirm-button.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Quiet } from '../../parts/quiet.tsx';
import { ShareLink } from '../../parts/share-link.tsx';
import { useAct } from '../../parts/use-act.ts';
import { useMay } from '../../viewer.ts';
import { type CheckoutLinkRow, closeCheckoutLinkMutation } from './checkout-links-query.ts';

const columns: Column<CheckoutLinkRow>[] = [
  {
    title: 'For',
    cell: ({ orders }) => (
      <Text size="sm" fw={600} lineClamp={2} span>
        {orders
          .map(({ name }) => name)
          .filter(Boolean)
          .join(', ') || 'Any order'}
      </Text>
    ),
  },
  amountColumn(),
  {
    title: 'Charges',
    end: true,
    cell: usesText,
  },
  madeColumn(),
  { title: 'Link', end: true, buttons: true, cell: (link) => <LinkActions link={link} /> },
];

function usesText({ uses, usesLimit }: CheckoutLinkRow): string {
  if (usesLimit !== null) return `${formatCount(uses)} of ${formatCount(usesLimit)}`;
  return uses === 0 ? 'None yet' : counted(uses, 'charge');
}

export function CheckoutLinkTable({ links }: { links: readonly CheckoutLinkRow[] }) {
  return <DataTable label="Checkout links" columns={columns} rows={links} />;
}

function LinkActions({ link }: { link: CheckoutLinkRow }) {
  const mayWrite = useMay('write');
  if (link.closedAt !== null) return <Quiet>Closed</Quiet>;
  return (
    <Group gap={6} justify="flex-end" wrap="nowrap">
      <ShareLink url={link.url} />
      {mayWrite && <CloseButton id={link.id} />}
    </Group>
  );
}

function CloseButton({ id }: { id: string }) {
  const close = useAct(closeCheckoutLinkMutation);
  return (
    <EndButton
      label="Close"
      title="Close this link?"
      confirm="Close link"
      onConfirm={() => close({ input: { id } })}
    >
      <Text size="sm">
        Customers who open it are told so. It cannot be opened again; charges made from it go on.
      </Text>
    </EndButton>
  );
}
