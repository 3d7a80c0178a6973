import { Alert, Button, Checkbox, Radio, SegmentedControl, Select, Stack, Text } from '@mantine/core';
import { useCallback, useState } from 'react';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { Empty } from '../../components/empty.tsx';
import { textOf } from '../../components/form.tsx';
import { Link } from '../../components/link.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { longChoice } from '../../components/long-choice.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { Paged } from '../../components/paged.tsx';
import { Section } from '../../components/section.tsx';
import { useCursor } from '../../components/use-cursor.ts';
import { choiceOf, useFilter } from '../../components/use-filter.ts';
import { useLive } from '../../graphql/use-live.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useMay } from '../../viewer.ts';
import { ExportProgress } from '../export/export-progress.tsx';
import type { ExportInput } from '../export/export-query.ts';
import { useExport } from '../export/use-export.ts';
import { useAccountNames } from '../receiving-account/account-names.ts';
import { refundsUpdated } from '../refund/refund-row.ts';
import { PayoutTable } from './payout-table.tsx';
import { type PayoutRow, payoutsQuery } from './payouts-query.ts';

const shown = [
  { value: '', label: 'All' },
  { value: 'new', label: 'Not exported' },
  { value: 'exported', label: 'Exported' },
];

/** Refunds whose money is to be sent: by hand, or with a file for the bank. */
export default function PayoutsPage() {
  const cursor = useCursor();
  const narrowing = useFilter();
  const file = choiceOf(narrowing.read('file'), shown) ?? '';
  const filter = file === '' ? {} : { exported: file === 'exported' };
  const mayPay = useMay('transfers');
  const variables = { filter, mayRefund: useMay('refund'), ...cursor.variables };
  const read = useRead(payoutsQuery, variables);
  useLive(refundsUpdated, {}, read.refresh);
  const { start, ...made } = useExport();
  const { chosen, choose, clear } = usePicked(read.data?.refundPayouts.nodes);
  const paid = (refund: PayoutRow) => {
    choose(refund, false);
    read.refresh();
  };
  return (
    <>
      <PageHeader title="Refund payouts" text="Refunds ready to pay. Send each with its reference.">
        {mayPay && (
          <ExportPayoutsButton
            chosen={chosen.map(({ id }) => id)}
            isRepeat={chosen.some(({ payoutExportedAt }) => payoutExportedAt !== null)}
            onStart={async (input) => {
              const refused = await start(input);
              if (refused === undefined) clear();
              read.refresh();
              return refused;
            }}
          />
        )}
      </PageHeader>
      <ExportProgress {...made} refusal={undefined} />
      <SegmentedControl
        data={shown}
        value={file}
        onChange={(value) => narrowing.choose({ file: value })}
        mb="lg"
        aria-label="Export status"
      />
      <Section
        title={chosen.length > 0 ? `${chosen.length} selected` : 'Ready to pay'}
        aside={
          chosen.length > 0 && (
            <Button variant="subtle" size="compact-sm" onClick={clear}>
              Clear
            </Button>
          )
        }
        flush
      >
        <Loaded read={read} lines={6}>
          {({ refundPayouts }) => (
            <Paged
              page={refundPayouts}
              cursor={cursor}
              empty={
                <Empty title={file === '' ? 'No refunds to pay' : 'No refunds found'}>
                  Refunds appear here once customers provide their bank details. See{' '}
                  <Link to="/refunds?status=initiated">refunds awaiting details</Link>.
                </Empty>
              }
            >
              {(rows) => (
                <PayoutTable
                  rows={rows}
                  chosen={new Set(chosen.map(({ id }) => id))}
                  onChoose={choose}
                  onPaid={paid}
                />
              )}
            </Paged>
          )}
        </Loaded>
      </Section>
    </>
  );
}

type Picked<Row> = {
  /** As they stand now, as far as that is shown. */
  chosen: readonly Row[];
  choose: (row: Row, isChosen: boolean) => void;
  clear: () => void;
};

/** Rows that were picked from a list, and stay so on its other pages, and while it cannot be read. */
function usePicked<Row extends { id: string }>(shown: readonly Row[] = []): Picked<Row> {
  const [picked, setPicked] = useState<ReadonlyMap<string, Row>>(new Map());
  const choose = useCallback((row: Row, isChosen: boolean) => {
    setPicked((before) => {
      const next = new Map(before);
      if (isChosen) next.set(row.id, row);
      else next.delete(row.id);
      return next;
    });
  }, []);
  const clear = useCallback(() => setPicked(new Map()), []);
  const chosen = [...picked.values()].map((row) => shown.find(({ id }) => id === row.id) ?? row);
  return { chosen, choose, clear };
}

const formats = [
  { value: 'csv', label: 'CSV, for a spreadsheet' },
  { value: 'pain_001_001_03', label: 'ISO 20022 pain.001.001.03' },
  { value: 'pain_001_001_09', label: 'ISO 20022 pain.001.001.09' },
];

/** Asks for the file with which the bank is told to pay. */
function ExportPayoutsButton(props: {
  chosen: readonly string[];
  /** Whether one of the chosen stands in a file already. */
  isRepeat: boolean;
  onStart: (input: ExportInput) => Promise<string | undefined>;
}) {
  const { chosen, isRepeat, onStart } = props;
  const { data: accounts = [] } = useAccountNames();
  const start = async (form: FormData) => {
    const payingAccountId = textOf(form, 'account');
    const isAll = form.get('which') === 'all';
    // What was chosen may have been paid meanwhile: that is never to mean all.
    if (!isAll && chosen.length === 0) return 'No refunds are selected.';
    return onStart({
      kind: 'payouts',
      format: String(form.get('format')) as NonNullable<ExportInput['format']>,
      includeExported: form.get('again') === 'on',
      ...(payingAccountId && { payingAccountId }),
      ...(!isAll && { refundIds: [...chosen] }),
      byteOrderMark: true,
    });
  };
  return (
    <ConfirmButton label="Export payment file" title="Export payment file" confirm="Export" onConfirm={start}>
      <Text size="sm">
        The file contains unencrypted bank details, and exporting it is recorded in the audit log. Refunds are
        completed when the payment appears on a statement, or when you mark them as paid.
      </Text>
      <Radio.Group label="Refunds to export" name="which" defaultValue={chosen.length > 0 ? 'chosen' : 'all'}>
        <Stack gap="xs" mt={6}>
          {chosen.length > 0 && (
            <Radio
              value="chosen"
              label={chosen.length === 1 ? 'The selected refund' : `The ${chosen.length} selected refunds`}
            />
          )}
          <Radio value="all" label="All refunds not yet exported" />
        </Stack>
      </Radio.Group>
      <Select label="Format" name="format" data={formats} defaultValue="csv" allowDeselect={false} />
      <Select
        label="Pay from"
        name="account"
        data={accounts}
        placeholder="The account each charge was paid to"
        clearable
        {...longChoice}
        description={
          chosen.length > 0
            ? 'Includes only refunds in its currency'
            : 'Includes only refunds of charges paid to this account. To pay refunds from another account, select them first.'
        }
      />
      {isRepeat && (
        <Alert color="amber" variant="light" title="Already exported">
          Some were already exported. Make sure that they have not been paid.
        </Alert>
      )}
      <Checkbox name="again" label="Include refunds that were already exported" defaultChecked={false} />
    </ConfirmButton>
  );
}
