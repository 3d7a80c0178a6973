import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useMutation } from 'urql';
import { refusalOf } from '../../graphql/refusal.ts';
import { Amount } from '../../parts/amount.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Moment } from '../../parts/moment.tsx';
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
  {
    title: 'Amount',
    end: true,
    cell: ({ amount, currency }) => <Amount value={amount} currency={currency} />,
  },
  {
    title: 'Charges',
    cell: usesText,
  },
  {
    title: 'Made',
    end: true,
    cell: ({ createdAt }) => (
      <Text size="sm" c="var(--causeway-muted)" span>
        <Moment at={createdAt} />
      </Text>
    ),
  },
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
  const [{ fetching }, close] = useMutation(closeCheckoutLinkMutation);
  const [opened, dialog] = useDisclosure();
  const [refusal, setRefusal] = useState<string>();
  const closeNow = async () => {
    const refused = refusalOf(await close({ id }));
    setRefusal(refused);
    if (refused === undefined) dialog.close();
  };
  return (
    <>
      <Button size="compact-sm" variant="subtle" color="red" onClick={dialog.open}>
        Close
      </Button>
      <Modal opened={opened} onClose={dialog.close} title="Close this link?" centered>
        <Stack>
          <Text size="sm">
            Customers who open it are told so. It cannot be opened again; charges made from it go on.
          </Text>
          {refusal !== undefined && (
            <Text c="red" size="sm" role="alert">
              {refusal}
            </Text>
          )}
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={dialog.close} data-autofocus>
              Keep it
            </Button>
            <Button color="red.9" onClick={closeNow} loading={fetching}>
              Close link
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
