import { Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { fillText } from '../../../language/fill-text.ts';
import { Amount } from '../../components/amount.tsx';
import { createdColumn } from '../../components/columns.tsx';
import { DestructiveButton } from '../../components/confirm-button.tsx';
import { DataTable, type TableColumn } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Link } from '../../components/link.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Moment } from '../../components/moment.tsx';
import { Muted } from '../../components/muted.tsx';
import { OrderMismatch } from '../../components/order-list.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Paged } from '../../components/paged.tsx';
import { Section } from '../../components/section.tsx';
import { TwoLines } from '../../components/two-lines.tsx';
import { pageInfoFields, useCursor } from '../../components/use-cursor.ts';
import { useMutationAction } from '../../components/use-mutation-action.ts';
import { formatAmount } from '../../format/amount.ts';
import { formatCount, pluralize } from '../../format/count.ts';
import { userErrorFields } from '../../graphql/errors.ts';
import { graphql } from '../../graphql/graphql.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { t } from '../../language/texts.ts';
import { useHasPermission } from '../../viewer.ts';
import { type CheckoutLinkRow, checkoutLinkRowFields, getLinkName } from './checkout-link-row.ts';
import { EditLinkButton } from './edit-link-button.tsx';
import { NewCheckoutLink } from './new-checkout-link.tsx';
import { ShareDialog } from './share-dialog.tsx';

export default function CheckoutLinksPage() {
  const cursor = useCursor();
  const canWrite = useHasPermission('write');
  const [opened, { open, close }] = useDisclosure();
  const query = useCachedQuery(checkoutLinksQuery, cursor.variables);
  return (
    <>
      <PageHeader title={t.checkoutLink.checkoutLinks} text={t.checkoutLink.linksYouCanShare}>
        {canWrite && <Button onClick={open}>{t.checkoutLink.newLink}</Button>}
      </PageHeader>
      <NewCheckoutLink opened={opened} onClose={close} onCreated={query.refresh} />
      <Section title={t.checkoutLink.allLinks} isFlush>
        <Loaded query={query} lines={6}>
          {({ checkoutLinks }) => (
            <Paged
              page={checkoutLinks}
              cursor={cursor}
              empty={
                <EmptyState title={t.checkoutLink.noLinksYet}>{t.checkoutLink.createOneAndSend}</EmptyState>
              }
            >
              {(rows) => <CheckoutLinkTable links={rows} />}
            </Paged>
          )}
        </Loaded>
      </Section>
    </>
  );
}

const columns: TableColumn<CheckoutLinkRow>[] = [
  {
    title: t.common.link,
    cell: (link) => (
      <>
        <Text size="sm" fw={600} lineClamp={2} span>
          {getLinkName(link)}
        </Text>
        {link.hasOrderMismatch && <OrderMismatch />}
      </>
    ),
  },
  {
    title: t.common.amount,
    isEndAligned: true,
    cell: (link) => <LinkAmount link={link} />,
  },
  {
    title: t.common.payments,
    isEndAligned: true,
    cell: (link) => <LinkPayments link={link} />,
  },
  {
    title: t.common.expires,
    isEndAligned: true,
    cell: ({ expiresAt }) => (
      <Muted>{expiresAt === null ? t.checkoutLink.never : <Moment at={expiresAt} />}</Muted>
    ),
  },
  createdColumn('day'),
  {
    title: t.common.actions,
    isEndAligned: true,
    hasButtons: true,
    cell: (link) => <LinkActions link={link} />,
  },
];

function LinkAmount({ link: { amount, currency, customAmount } }: { link: CheckoutLinkRow }) {
  if (customAmount === null) return <Amount value={amount} currency={currency} />;
  return (
    <div>
      <Text size="sm">{t.checkoutLink.customerChooses}</Text>
      <Muted>{formatLimits(customAmount, currency)}</Muted>
    </div>
  );
}

function formatLimits({ min, max }: { min: string | null; max: string | null }, currency: string): string {
  if (min === null && max === null) return currency;
  const text =
    min === null ? t.checkoutLink.upTo : max === null ? t.checkoutLink.from : t.checkoutLink.fromTo;
  return fillText(text, {
    minimum: min === null ? '' : formatAmount(min, currency),
    maximum: max === null ? '' : formatAmount(max, currency),
  });
}

/** Shows the number of paid charges as a link to the charges, and below it the number of open charges and the limit. */
function LinkPayments({ link: { id, usageCount, paidCount, usageLimit } }: { link: CheckoutLinkRow }) {
  const openCount = usageCount - paidCount;
  const below = [
    openCount > 0 && pluralize(openCount, t.checkoutLink.openCount),
    usageLimit !== null && fillText(t.checkoutLink.atMost, { usageLimit: formatCount(usageLimit) }),
  ].filter((text) => text !== false);
  return (
    <TwoLines below={below.join(' · ') || null} isEndAligned>
      <Link to={`/charges?link=${id}`}>{pluralize(paidCount, t.checkoutLink.paidCount)}</Link>
    </TwoLines>
  );
}

function CheckoutLinkTable({ links }: { links: readonly CheckoutLinkRow[] }) {
  return <DataTable label={t.checkoutLink.checkoutLinks} columns={columns} rows={links} hasLabels />;
}

function LinkActions({ link }: { link: CheckoutLinkRow }) {
  const canWrite = useHasPermission('write');
  const [isSharing, share] = useDisclosure();
  if (link.closedAt !== null) return <Muted>{t.common.deactivated}</Muted>;
  if (link.isExpired)
    return (
      <Group gap="sm" justify="flex-end" wrap="nowrap">
        <Muted>{t.checkoutLink.expired}</Muted>
        {canWrite && <EditLinkButton link={link} />}
      </Group>
    );
  return (
    <Group gap={6} justify="flex-end" wrap="nowrap">
      <Button size="compact-sm" variant="light" onClick={share.open}>
        {t.checkoutLink.share}
      </Button>
      <ShareDialog id={link.id} name={getLinkName(link)} opened={isSharing} onClose={share.close} />
      <Button
        size="compact-sm"
        variant="default"
        component="a"
        href={link.url}
        target="_blank"
        rel="noopener noreferrer"
      >
        {t.components.openLink}
      </Button>
      {canWrite && <EditLinkButton link={link} />}
      {canWrite && <DeactivateButton id={link.id} name={getLinkName(link)} />}
    </Group>
  );
}

function DeactivateButton({ id, name }: { id: string; name: string }) {
  const deactivate = useMutationAction(closeCheckoutLinkMutation);
  return (
    <DestructiveButton
      label={t.checkoutLink.deactivate}
      title={fillText(t.checkoutLink.deactivateThisLink, { name })}
      confirmLabel={t.checkoutLink.deactivateLink}
      onConfirm={() => deactivate({ input: { id } })}
    >
      <Text size="sm">{t.checkoutLink.customersWhoOpenIt}</Text>
    </DestructiveButton>
  );
}

const checkoutLinksQuery = graphql(
  `
    query CheckoutLinks($first: Int, $after: String, $last: Int, $before: String) {
      checkoutLinks(first: $first, after: $after, last: $last, before: $before) {
        nodes {
          ...CheckoutLinkRow
        }
        pageInfo {
          ...PageInfo
        }
      }
    }
  `,
  [checkoutLinkRowFields, pageInfoFields],
);

const closeCheckoutLinkMutation = graphql(
  `
    mutation CloseCheckoutLink($input: CloseCheckoutLinkInput!) {
      closeCheckoutLink(input: $input) {
        __typename
        ... on CloseCheckoutLinkSuccess {
          checkoutLink {
            id
            closedAt
          }
        }
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);
