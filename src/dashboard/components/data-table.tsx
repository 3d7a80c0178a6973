// biome-ignore-all lint/a11y/noRedundantRoles: CSS `display` removes the implicit roles of table elements.
import type { ReactNode } from 'react';
import classes from './data-table.module.css';

export type TableColumn<Row> = {
  title: string;
  cell: (row: Row) => ReactNode;
  /** Aligns the cell to the end, for example for amounts. */
  end?: boolean;
  /** Several buttons: on one line of the table, or over the whole width of a card. */
  buttons?: boolean;
};

/**
 * A table that becomes a list of cards on narrow screens. A card has two columns of cells, so related columns
 * must be adjacent. The roles keep it a table for screen readers in both layouts.
 */
export function DataTable<Row extends { id: string }>(props: {
  label: string;
  columns: TableColumn<Row>[];
  rows: readonly Row[];
}) {
  const { label, columns, rows } = props;
  const getCellClass = ({ end, buttons }: TableColumn<Row>) =>
    [end && classes.end, buttons && classes.buttons].filter(Boolean).join(' ') || undefined;
  return (
    <div className={classes.frame}>
      <table className={classes.table} aria-label={label} role="table">
        <thead>
          <tr role="row">
            {columns.map((column) => (
              <th key={column.title} className={getCellClass(column)} scope="col" role="columnheader">
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id} role="row">
              {columns.map((column) => (
                <td key={column.title} className={getCellClass(column)} role="cell">
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
