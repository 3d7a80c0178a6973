import { Group, Text } from '@mantine/core';
import { useMutation } from 'urql';
import { refusalOf } from '../../graphql/refusal.ts';
import { amountColumn, madeColumn } from '../../parts/columns.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { ShareLink } from '../../parts/share-link.tsx';
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
  { title: 'Link', end: true, cell: (link) => <LinkActions link={link} /> },
];

function usesText({ uses, usesLimit }: CheckoutLinkRow): string {
  const count = new Intl.NumberFormat();
  if (usesLimit !== null) return `${count.format(uses)} of ${count.format(usesLimit)}`;
  if (uses === 0) return 'None yet';
  return uses === 1 ? '1 charge' : `${count.format(uses)} charges`;
}

export function CheckoutLinkTable({ links }: { links: readonly CheckoutLinkRow[] }) {
  return <DataTable label="Checkout links" columns={columns} rows={links} />;
}

function LinkActions({ link }: { link: CheckoutLinkRow }) {
  const mayWrite = useMay('write');
  if (link.closedAt !== null)
    return (
      <Text size="sm" c="var(--causeway-muted)" span>
        Closed
      </Text>
    );
  return (
    <Group gap={6} justify="flex-end" wrap="nowrap">
      <ShareLink url={link.url} />
      {mayWrite && <CloseButton id={link.id} />}
    </Group>
  );
}

function CloseButton({ id }: { id: string }) {
  const [, close] = useMutation(closeCheckoutLinkMutation);
  return (
    <ConfirmButton
      label="Close"
      title="Close this link?"
      confirm="Close link"
      keep="Keep it"
      size="compact-sm"
      variant="subtle"
      color="red"
      isDanger
      onConfirm={async () => refusalOf(await close({ id }))}
    >
      <Text size="sm">
        Customers who open it are told so. It cannot be opened again; charges made from it go on.
      </Text>
    </ConfirmButton>
  );
}
