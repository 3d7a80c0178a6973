import {
  type ControlTotals,
  type StatementListener,
  type StatementSummary,
  type StatementTotals,
  withoutEmptyTotals,
} from './control-totals.ts';
import { invalidStatementError } from './invalid-statement.ts';
import { getMt940Account, type Mt940Statement } from './mt940-entry.ts';
import type { Mt940Line } from './mt940-line.ts';
import type { Field86Widths } from './mt940-width.ts';
import type { StatementEntry, StatementKind } from './statement-entry.ts';
import { withoutUndefined } from './statement-text.ts';

/** A field that is being read. `length` is the number of its characters, `line` the number of its first line. */
export type Mt940Field = { tag: string; lines: string[]; length: number; line: number };

/** The current statement, to which all fields belong until the next statement starts. */
type OpenStatement = Mt940Statement & {
  line: number;
  /** Whether its end was read, without which the file may be truncated. */
  isClosed: boolean;
  isKindReported: boolean;
  controlTotals: ControlTotals;
  totals: StatementTotals;
};

export type Mt940ReaderState = {
  entries: StatementEntry[];
  field: Mt940Field | undefined;
  statement: OpenStatement | undefined;
  /** The text before the first field: SWIFT's envelope or the bank's own lines. */
  header: string;
  /** A statement line, with the lines of its fields 86 and NS that have been read so far. */
  pending: { line: Mt940Line; info: Mt940Field; nsLines: string[] } | undefined;
  /** An end mark after field 86, which is a dash in its text if more text follows. */
  heldMark: string | undefined;
  widths: Field86Widths;
  onKind: ((kind: StatementKind) => void) | undefined;
  onStatement: StatementListener | undefined;
};

export function requireStatement({ statement }: Mt940ReaderState, { tag, line }: Mt940Field): OpenStatement {
  if (!statement) throw invalidStatementError(line, `field :${tag}: comes before any statement (:20:)`);
  return statement;
}

/** Reports the kind of the statement, unless it was reported before. */
export function reportKind({ statement, onKind }: Mt940ReaderState): void {
  if (!statement || statement.isKindReported) return;
  statement.isKindReported = true;
  onKind?.(statement.kind);
}

/** Reports the statement, to which all fields so far belong. */
export function closeStatement(state: Mt940ReaderState): void {
  reportKind(state);
  if (state.statement) state.onStatement?.(toSummary(state.statement));
}

function toSummary(statement: OpenStatement): StatementSummary {
  return withoutUndefined<StatementSummary>({
    kind: statement.kind,
    line: statement.line,
    ...getMt940Account(statement),
    controlTotals: withoutEmptyTotals(statement.controlTotals),
    totals: statement.totals,
  });
}
