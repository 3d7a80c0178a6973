import { Alert, Button, Checkbox, Radio, SegmentedControl, Select, Stack, Text } from '@mantine/core';
import { fillText } from '../../../language/fill-text.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { getText } from '../../components/form.tsx';
import { Link } from '../../components/link.tsx';
import { ListCount } from '../../components/list-count.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Paged } from '../../components/paged.tsx';
import { searchableSelectProps } from '../../components/searchable-select-props.ts';
import { Section } from '../../components/section.tsx';
import { useCursor } from '../../components/use-cursor.ts';
import { findChoice, toFilter, useFilter } from '../../components/use-filter.ts';
import { useRowSelection } from '../../components/use-row-selection.ts';
import { pluralize } from '../../format/count.ts';
import type { VariablesOf } from '../../graphql/graphql.ts';
import { useLiveUpdates } from '../../graphql/use-live-updates.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { fillNodes } from '../../language/fill-nodes.tsx';
import { t } from '../../language/texts.ts';
import { useHasPermission } from '../../viewer.ts';
import { CurrencyFilter } from '../currency-filter.tsx';
import { ExportProgress } from '../export/export-progress.tsx';
import type { ExportInput } from '../export/export-query.ts';
import { useExport } from '../export/use-export.ts';
import { AccountFilter } from '../receiving-account/account-filter.tsx';
import { useAccountNames } from '../receiving-account/use-account-names.ts';
import { refundsUpdated } from '../refund/refund-row.ts';
import { PayoutTable } from './payout-table.tsx';
import { type PayoutRow, payoutsQuery } from './payouts-query.ts';

const exportStatuses = [
  { value: '', label: t.payout.all },
  { value: 'new', label: t.payout.notExported },
  { value: 'exported', label: t.common.exported },
];

type PayoutsFilter = NonNullable<VariablesOf<typeof payoutsQuery>['filter']>;

export default function PayoutsPage() {
  const cursor = useCursor();
  const filters = useFilter();
  const exportStatus = findChoice(filters.getFilter('file'), exportStatuses) ?? '';
  const { filter, isFiltered } = toFilter<PayoutsFilter>({
    isExported: exportStatus === '' ? null : exportStatus === 'exported',
    receivingAccountId: filters.getFilter('account'),
    currency: filters.getFilter('currency'),
  });
  const canPay = useHasPermission('transfers');
  const variables = { filter, mayRefund: useHasPermission('refund'), ...cursor.variables };
  const query = useCachedQuery(payoutsQuery, variables);
  useLiveUpdates(refundsUpdated, {}, query.refresh);
  const { start, ...exportJob } = useExport();
  const { selected, select, clear } = useRowSelection(query.data?.refundsAwaitingPayout.nodes);
  const handlePaid = (refund: PayoutRow) => {
    select(refund, false);
    query.refresh();
  };
  return (
    <>
      <PageHeader title={t.payout.refundPayouts} text={t.payout.refundsReadyToPay}>
        {canPay && (
          <ExportPayoutsButton
            selectedIds={selected.map(({ id }) => id)}
            includesExported={selected.some(({ payoutExportedAt }) => payoutExportedAt !== null)}
            onStart={async (input) => {
              const message = await start(input);
              if (message === undefined) clear();
              query.refresh();
              return message;
            }}
          />
        )}
      </PageHeader>
      <ExportProgress {...exportJob} error={undefined} />
      <SegmentedControl
        data={exportStatuses}
        value={exportStatus}
        onChange={(value) => filters.setFilters({ file: value })}
        mb="md"
        aria-label={t.payout.exportStatus}
      />
      <FilterBar>
        <AccountFilter />
        <CurrencyFilter />
      </FilterBar>
      <Section
        title={
          selected.length > 0 ? fillText(t.payout.selected, { count: selected.length }) : t.common.readyToPay
        }
        aside={
          selected.length === 0 ? (
            <ListCount count={query.data?.refundsAwaitingPayout.totalCount} noun={t.common.refundCount} />
          ) : (
            <Button variant="subtle" size="compact-sm" onClick={clear}>
              {t.common.clearSelection}
            </Button>
          )
        }
        isFlush
      >
        <Loaded query={query} lines={6}>
          {({ refundsAwaitingPayout }) => (
            <Paged
              page={refundsAwaitingPayout}
              cursor={cursor}
              empty={
                <EmptyState title={isFiltered ? t.payout.noRefundsFound : t.payout.noRefundsToPay}>
                  {fillNodes(t.payout.refundsAppearHereOnce, {
                    link: <Link to="/refunds?status=initiated">{t.payout.refundsAwaitingDetails}</Link>,
                  })}
                </EmptyState>
              }
            >
              {(rows) => (
                <PayoutTable
                  rows={rows}
                  selectedIds={new Set(selected.map(({ id }) => id))}
                  onSelect={select}
                  onPaid={handlePaid}
                />
              )}
            </Paged>
          )}
        </Loaded>
      </Section>
    </>
  );
}

const fileFormats = [
  { value: 'csv', label: t.payout.csvForASpreadsheet },
  { value: 'pain_001_001_03', label: t.payout.painVersion03 },
  { value: 'pain_001_001_09', label: t.payout.painVersion09 },
];

function ExportPayoutsButton(props: {
  selectedIds: readonly string[];
  /** Whether a selected refund was already exported. */
  includesExported: boolean;
  onStart: (input: ExportInput) => Promise<string | undefined>;
}) {
  const { selectedIds, includesExported, onStart } = props;
  const { data: accounts = [] } = useAccountNames();
  const submit = async (form: FormData) => {
    const payingAccountId = getText(form, 'account');
    const isAll = form.get('selection') === 'all';
    // The selection may have become empty since the dialog was opened. An empty selection must never export all.
    if (!isAll && selectedIds.length === 0) return t.payout.noRefundsAreSelected;
    return onStart({
      kind: 'payouts',
      format: String(form.get('format')) as NonNullable<ExportInput['format']>,
      includeExported: form.get('includeExported') === 'on',
      ...(payingAccountId && { payingAccountId }),
      ...(!isAll && { refundIds: [...selectedIds] }),
      includeByteOrderMark: true,
    });
  };
  return (
    <ConfirmButton
      label={t.payout.exportPaymentFile}
      title={t.payout.exportPaymentFile}
      confirmLabel={t.payout.export}
      onConfirm={submit}
    >
      <Text size="sm">{t.payout.theFileContainsUnencrypted}</Text>
      <Radio.Group
        label={t.payout.refundsToExport}
        name="selection"
        defaultValue={selectedIds.length > 0 ? 'selected' : 'all'}
      >
        <Stack gap="xs" mt={6}>
          {selectedIds.length > 0 && (
            <Radio value="selected" label={pluralize(selectedIds.length, t.payout.theSelectedRefunds)} />
          )}
          <Radio value="all" label={t.payout.allRefundsNotYet} />
        </Stack>
      </Radio.Group>
      <Select
        label={t.payout.format}
        name="format"
        data={fileFormats}
        defaultValue="csv"
        allowDeselect={false}
        description={t.payout.onlyCsvIncludesRefunds}
      />
      <Select
        label={t.payout.payFrom}
        name="account"
        data={accounts}
        placeholder={t.payout.theAccountEachCharge}
        clearable
        {...searchableSelectProps}
        description={selectedIds.length > 0 ? t.payout.includesOnlyRefundsIn : t.payout.includesOnlyRefundsOf}
      />
      {includesExported && (
        <Alert color="amber" variant="light" title={t.payout.alreadyExported}>
          {t.payout.someWereAlreadyExported}
        </Alert>
      )}
      <Checkbox name="includeExported" label={t.payout.includeRefundsThatWere} defaultChecked={false} />
    </ConfirmButton>
  );
}
