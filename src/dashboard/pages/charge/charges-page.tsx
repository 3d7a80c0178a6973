import { Button, Group } from '@mantine/core';
import { fillText } from '../../../language/fill-text.ts';
import { DateRangeFilter, useDateRange } from '../../components/date-range-filter.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FilterBar, FilterSearchForm, FilterSelect } from '../../components/filter-bar.tsx';
import { ListCount } from '../../components/list-count.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { OrderSelect, useOrder } from '../../components/order-select.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Paged } from '../../components/paged.tsx';
import { Section } from '../../components/section.tsx';
import { pageInfoFields, useCursor } from '../../components/use-cursor.ts';
import { findChoice, toArray, toFilter, useFilter } from '../../components/use-filter.ts';
import { useRowSelection } from '../../components/use-row-selection.ts';
import { graphql, type VariablesOf } from '../../graphql/graphql.ts';
import { useLiveUpdates } from '../../graphql/use-live-updates.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { t } from '../../language/texts.ts';
import { useHasPermission } from '../../viewer.ts';
import { AmountFilter, useAmountRange } from '../amount-filter.tsx';
import { CheckoutLinkFilter } from '../checkout-link/checkout-link-filter.tsx';
import { CurrencyFilter } from '../currency-filter.tsx';
import { CustomerFilter, useCustomerFilter } from '../customer/customer-filter.tsx';
import { ExportButton } from '../export/export-button.tsx';
import { ExportProgress } from '../export/export-progress.tsx';
import { useExport } from '../export/use-export.ts';
import { MethodFilter } from '../method-filter.tsx';
import { AccountFilter } from '../receiving-account/account-filter.tsx';
import { RefundChargesButton, refundsAtOnceMax } from '../refund/refund-charges-button.tsx';
import { chargeRowFields, chargesUpdated } from './charge-row.ts';
import { ChargeTable } from './charge-table.tsx';
import { SellerFilter } from './seller-filter.tsx';

export default function ChargesPage() {
  const cursor = useCursor();
  const order = useOrder();
  const { filter, isFiltered } = useChargeFilter();
  const query = useCachedQuery(chargesQuery, { filter, ...order, ...cursor.variables });
  useLiveUpdates(chargesUpdated, {}, query.refresh);
  const exportJob = useExport();
  const canRefund = useHasPermission('refund');
  const selection = useRowSelection(query.data?.charges.nodes);
  const { selected, clear } = selection;
  const handleRefunded = () => {
    clear();
    query.refresh();
  };
  return (
    <>
      <PageHeader title={t.common.charges} text={t.charge.eachChargeIs}>
        <ExportButton exportJob={exportJob} input={{ kind: 'charges', ...order, chargeFilter: filter }} />
      </PageHeader>
      <ExportProgress {...exportJob} />
      <ChargeFilterBar />
      <Section
        title={getTitle(selected.length, isFiltered)}
        aside={
          selected.length === 0 ? (
            <ListCount count={query.data?.charges.totalCount} noun={t.charge.chargeCount} />
          ) : (
            <Group gap="sm">
              <RefundChargesButton charges={selected} onDone={handleRefunded} />
              <Button variant="subtle" size="compact-sm" onClick={clear}>
                {t.common.clearSelection}
              </Button>
            </Group>
          )
        }
        isFlush
      >
        <Loaded query={query} lines={8}>
          {({ charges }) => (
            <Paged
              page={charges}
              cursor={cursor}
              empty={
                <EmptyState title={isFiltered ? t.charge.noChargesFound : t.common.noChargesYet}>
                  {isFiltered ? t.common.tryDifferentFilters : t.charge.newChargesWillAppear}
                </EmptyState>
              }
            >
              {(rows) => (
                <ChargeTable
                  label={t.common.charges}
                  charges={rows}
                  selection={canRefund ? selection : undefined}
                />
              )}
            </Paged>
          )}
        </Loaded>
      </Section>
    </>
  );
}

function getTitle(selectedCount: number, isFiltered: boolean): string {
  if (selectedCount > refundsAtOnceMax)
    return fillText(t.charge.selectedAtMostAt, { selectedCount, refundsAtOnceMax });
  if (selectedCount > 0) return fillText(t.charge.selected, { selectedCount });
  return isFiltered ? t.charge.matchingCharges : t.charge.allCharges;
}

type ChargesFilter = NonNullable<VariablesOf<typeof chargesQuery>['filter']>;
type ChargeStatusOption = NonNullable<ChargesFilter['statuses']>[number];

const statuses: { value: ChargeStatusOption | 'partly_paid'; label: string }[] = [
  { value: 'pending', label: t.common.pending },
  { value: 'partly_paid', label: t.common.partlyPaid },
  { value: 'completed', label: t.common.completed },
  { value: 'expired', label: t.common.expired },
  { value: 'cancelled', label: t.common.cancelled },
];

function useChargeFilter(): { filter: ChargesFilter; isFiltered: boolean } {
  const { getFilter } = useFilter();
  const { from, to } = useDateRange();
  const merchantAmount = useAmountRange();
  const customer = useCustomerFilter();
  const status = findChoice(getFilter('status'), statuses);
  return toFilter<ChargesFilter>({
    createdFrom: from,
    createdTo: to,
    customerCurrency: merchantAmount ? null : getFilter('currency'),
    merchantAmount,
    receivingAccountId: getFilter('account'),
    checkoutLinkId: getFilter('link'),
    sellerId: getFilter('seller'),
    ...(status === 'partly_paid' ? { isPartlyPaid: true } : { statuses: toArray(status) }),
    method: getFilter('method') as NonNullable<ChargesFilter['method']> | null,
    search: getFilter('search'),
    ...customer,
  });
}

function ChargeFilterBar() {
  return (
    <FilterBar>
      <FilterSelect name="status" label={t.common.status} choices={statuses} />
      <MethodFilter />
      <AccountFilter />
      <CurrencyFilter />
      <DateRangeFilter fromLabel={t.components.createdFrom} />
      <AmountFilter fromLabel={t.charge.priceFrom} />
      <OrderSelect />
      <CustomerFilter />
      <SellerFilter />
      <CheckoutLinkFilter />
      <FilterSearchForm
        fields={[
          {
            name: 'search',
            label: t.charge.orderOrReference,
            type: 'search',
            placeholder: t.charge.numberItemOrReference,
          },
        ]}
      />
    </FilterBar>
  );
}

const chargesQuery = graphql(
  `
    query Charges(
      $filter: ChargeFilter
      $first: Int
      $after: String
      $last: Int
      $before: String
      $reverse: Boolean
    ) {
      charges(filter: $filter, first: $first, after: $after, last: $last, before: $before, reverse: $reverse) {
        totalCount
        nodes {
          ...ChargeRow
        }
        pageInfo {
          ...PageInfo
        }
      }
    }
  `,
  [chargeRowFields, pageInfoFields],
);
