// biome-ignore-all lint/a11y/noRedundantRoles: a browser forgets the role of an element that is displayed otherwise.
import type { ReactNode } from 'react';
import classes from './data-table.module.css';

export type TableColumn<Row> = {
  title: string;
  cell: (row: Row) => ReactNode;
  /** Set at the end of the line, as amounts are. */
  end?: boolean;
  /** Several buttons side by side: on one line of the table, over the whole width of a card. */
  buttons?: boolean;
};

/**
 * A table that becomes a list of cards where there is no room for columns: two columns of cells, so put what belongs
 * side by side next to each other. The roles keep it a table for screen readers in either form.
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
