import { Alert, Button, Checkbox, Radio, SegmentedControl, Select, Stack, Text } from '@mantine/core';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { getText } from '../../components/form.tsx';
import { Link } from '../../components/link.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Paged } from '../../components/paged.tsx';
import { searchableSelectProps } from '../../components/searchable-select-props.ts';
import { Section } from '../../components/section.tsx';
import { useCursor } from '../../components/use-cursor.ts';
import { findChoice, useFilter } from '../../components/use-filter.ts';
import { useRowSelection } from '../../components/use-row-selection.ts';
import { useLiveUpdates } from '../../graphql/use-live-updates.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { useHasPermission } from '../../viewer.ts';
import { ExportProgress } from '../export/export-progress.tsx';
import type { ExportInput } from '../export/export-query.ts';
import { useExport } from '../export/use-export.ts';
import { useAccountNames } from '../receiving-account/use-account-names.ts';
import { refundsUpdated } from '../refund/refund-row.ts';
import { PayoutTable } from './payout-table.tsx';
import { type PayoutRow, payoutsQuery } from './payouts-query.ts';

const exportStatuses = [
  { value: '', label: 'All' },
  { value: 'new', label: 'Not exported' },
  { value: 'exported', label: 'Exported' },
];

/** Lists refunds that are ready to be paid, manually or with a file for the bank. */
export default function PayoutsPage() {
  const cursor = useCursor();
  const filters = useFilter();
  const exportStatus = findChoice(filters.getFilter('file'), exportStatuses) ?? '';
  const filter = exportStatus === '' ? {} : { isExported: exportStatus === 'exported' };
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
      <PageHeader title="Refund payouts" text="Refunds ready to pay. Send each with its reference.">
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
        mb="lg"
        aria-label="Export status"
      />
      <Section
        title={selected.length > 0 ? `${selected.length} selected` : 'Ready to pay'}
        aside={
          selected.length > 0 && (
            <Button variant="subtle" size="compact-sm" onClick={clear}>
              Clear
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
                <EmptyState title={exportStatus === '' ? 'No refunds to pay' : 'No refunds found'}>
                  Refunds appear here once customers provide their bank details. See{' '}
                  <Link to="/refunds?status=initiated">refunds awaiting details</Link>.
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
  { value: 'csv', label: 'CSV, for a spreadsheet' },
  { value: 'pain_001_001_03', label: 'ISO 20022 pain.001.001.03' },
  { value: 'pain_001_001_09', label: 'ISO 20022 pain.001.001.09' },
];

/** Exports a payout file for the bank. */
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
    if (!isAll && selectedIds.length === 0) return 'No refunds are selected.';
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
      label="Export payment file"
      title="Export payment file"
      confirmLabel="Export"
      onConfirm={submit}
    >
      <Text size="sm">
        The file contains unencrypted bank details, and exporting it is recorded in the audit log. Refunds are
        completed when the payment appears on a statement, or when you mark them as paid.
      </Text>
      <Radio.Group
        label="Refunds to export"
        name="selection"
        defaultValue={selectedIds.length > 0 ? 'selected' : 'all'}
      >
        <Stack gap="xs" mt={6}>
          {selectedIds.length > 0 && (
            <Radio
              value="selected"
              label={
                selectedIds.length === 1
                  ? 'The selected refund'
                  : `The ${selectedIds.length} selected refunds`
              }
            />
          )}
          <Radio value="all" label="All refunds not yet exported" />
        </Stack>
      </Radio.Group>
      <Select
        label="Format"
        name="format"
        data={fileFormats}
        defaultValue="csv"
        allowDeselect={false}
        description="Only CSV includes refunds to PayNow, PromptPay, UPI, FPS and PayID."
      />
      <Select
        label="Pay from"
        name="account"
        data={accounts}
        placeholder="The account each charge was paid to"
        clearable
        {...searchableSelectProps}
        description={
          selectedIds.length > 0
            ? 'Includes only refunds in its currency'
            : 'Includes only refunds of charges paid to this account. To pay refunds from another account, select them first.'
        }
      />
      {includesExported && (
        <Alert color="amber" variant="light" title="Already exported">
          Some were already exported. Make sure that they have not been paid.
        </Alert>
      )}
      <Checkbox
        name="includeExported"
        label="Include refunds that were already exported"
        defaultChecked={false}
      />
    </ConfirmButton>
  );
}
