import { Checkbox, Group, Text } from '@mantine/core';
import { fillText } from '../../../language/fill-text.ts';
import { Amount } from '../../components/amount.tsx';
import { createdColumn } from '../../components/columns.tsx';
import { DataTable, type TableColumn } from '../../components/data-table.tsx';
import { NoteIcon } from '../../components/icons.tsx';
import { Link } from '../../components/link.tsx';
import { Muted } from '../../components/muted.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import type { RowSelection } from '../../components/use-row-selection.ts';
import { WholeWords } from '../../components/whole-words.tsx';
import { formatAmount } from '../../format/amount.ts';
import { formatMethod } from '../../format/labels.ts';
import { formatPayer } from '../../format/payer.ts';
import { t } from '../../language/texts.ts';
import { type ChargeRow, formatOrder, getChargeBadge, isPartlyPaid } from './charge-row.ts';

export function ChargeTable(props: {
  label: string;
  charges: readonly ChargeRow[];
  selection?: RowSelection<ChargeRow> | undefined;
}) {
  const { label, charges, selection } = props;
  const columns: TableColumn<ChargeRow>[] = [
    {
      title: t.common.customer,
      cell: (charge) => (
        <Group gap="sm" wrap="nowrap">
          {selection && <ChargeCheckbox charge={charge} selection={selection} />}
          <div style={{ minWidth: 0 }}>
            <Link to={`/charges/${charge.id}`} fw={600}>
              {formatPayer(charge)}
            </Link>
            <Text size="xs" c="var(--causeway-muted)" maw="22rem" lineClamp={1}>
              {formatOrder(charge)}
            </Text>
          </div>
          {charge.note !== null && <NoteMark note={charge.note} />}
        </Group>
      ),
    },
    { title: t.common.status, cell: (charge) => <ChargeStatus charge={charge} /> },
    {
      title: t.common.method,
      cell: (charge) => (
        <Muted>
          <WholeWords>{formatMethod(charge.method)}</WholeWords>
        </Muted>
      ),
    },
    {
      title: t.common.amount,
      isEndAligned: true,
      cell: (charge) => <ChargeAmount charge={charge} />,
    },
    createdColumn(),
  ];
  return <DataTable label={label} columns={columns} rows={charges} />;
}

/** Shows the status and, if the charge is partly paid, the amount received. */
function ChargeStatus({ charge }: { charge: ChargeRow }) {
  const amount = formatAmount(charge.amountReceived, charge.customerCurrency);
  return (
    <>
      <StatusBadge status={getChargeBadge(charge)} />
      {isPartlyPaid(charge) && (
        <Text size="xs" c="var(--causeway-muted)">
          {fillText(t.charge.partReceived, { amount })}
        </Text>
      )}
    </>
  );
}

/** Marks a row with a note, and shows the note to a mouse pointer. */
function NoteMark({ note }: { note: string }) {
  return (
    <Text role="img" aria-label={t.common.note} title={note} c="var(--causeway-muted)" lh={0} fz="sm" span>
      <NoteIcon />
    </Text>
  );
}

/** Only completed charges can be refunded, so only they can be selected. */
function ChargeCheckbox(props: { charge: ChargeRow; selection: RowSelection<ChargeRow> }) {
  const { charge, selection } = props;
  const amount = formatAmount(charge.customerAmount, charge.customerCurrency);
  return (
    <Checkbox
      checked={selection.selected.some(({ id }) => id === charge.id)}
      onChange={(event) => selection.select(charge, event.currentTarget.checked)}
      disabled={charge.status !== 'completed'}
      aria-label={fillText(t.charge.selectOf, { amount, charge: formatPayer(charge) })}
    />
  );
}

/** Shows the amount and, if the customer pays in another currency, the price below it. */
function ChargeAmount({ charge }: { charge: ChargeRow }) {
  const { customerAmount, customerCurrency, merchantAmount, merchantCurrency } = charge;
  return (
    <>
      <Amount value={customerAmount} currency={customerCurrency} />
      {merchantCurrency !== customerCurrency && (
        <Text size="xs" c="var(--causeway-muted)" component="div">
          <Amount value={merchantAmount} currency={merchantCurrency} />
        </Text>
      )}
    </>
  );
}
