// biome-ignore-all lint/a11y/noRedundantRoles: CSS `display` removes the implicit roles of table elements.
import type { ReactNode } from 'react';
import classes from './data-table.module.css';

export type TableColumn<Row> = {
  title: string;
  cell: (row: Row) => ReactNode;
  /** Whether cells are aligned to the end, for example amounts. */
  isEndAligned?: boolean;
  /** Whether a cell has several buttons, which stay on one line of the table and take the whole width of a card. */
  hasButtons?: boolean;
};

/** Tables with this number of columns or more have narrower cells, so that they fit in the window of a laptop. */
const denseColumnsMin = 9;

/**
 * A table that becomes a list of cards on narrow screens. A card has two columns of cells, so related columns
 * must be adjacent. Because of the explicit roles, screen readers present a table in both layouts.
 */
export function DataTable<Row extends { id: string }>(props: {
  label: string;
  columns: TableColumn<Row>[];
  rows: readonly Row[];
  /** Whether cards label each value, which is needed where values are ambiguous without the column titles. */
  hasLabels?: boolean;
}) {
  const { label, columns, rows, hasLabels = false } = props;
  const getCellClass = ({ isEndAligned, hasButtons }: TableColumn<Row>) =>
    [isEndAligned && classes.end, hasButtons && classes.buttons].filter(Boolean).join(' ') || undefined;
  const tableClasses = [
    classes.table,
    hasLabels && classes.labelled,
    columns.length >= denseColumnsMin && classes.dense,
  ];
  return (
    <div className={classes.frame}>
      <table className={tableClasses.filter(Boolean).join(' ')} aria-label={label} role="table">
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
                <td
                  key={column.title}
                  className={getCellClass(column)}
                  role="cell"
                  {...(hasLabels && { 'data-title': column.title })}
                >
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
