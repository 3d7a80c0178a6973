import { Anchor, Checkbox, Text } from '@mantine/core';
import { type MouseEvent, useEffect, useRef } from 'react';
import { Link as RouterLink } from 'wouter';
import { fillText } from '../../../language/fill-text.ts';
import { Amount } from '../../components/amount.tsx';
import { formatMoment } from '../../format/moment.ts';
import { t } from '../../language/texts.ts';
import { useViewer } from '../../viewer.ts';
import { formatAssignee } from '../transfer/review-note.tsx';
import { formatTransferReason } from '../transfer/transfer-reasons.ts';
import { getTransferTitle } from '../transfer/transfer-row.ts';
import classes from './review.module.css';
import type { ReviewRow } from './review-query.ts';

type ReviewListProps = {
  rows: readonly ReviewRow[];
  currentId: string | null;
  selectedIds: ReadonlySet<string>;
  onToggle: (id: string) => void;
  /** Shows the details. */
  onOpen: (id: string) => void;
};

/** The current transfer receives the focus. */
export function ReviewList(props: ReviewListProps) {
  return (
    <ul className={classes.list} aria-label={t.review.transfersThatNeedReview}>
      {props.rows.map((row) => (
        <ReviewItem key={row.id} row={row} {...props} />
      ))}
    </ul>
  );
}

function ReviewItem({ row, currentId, selectedIds, onToggle, onOpen }: ReviewListProps & { row: ReviewRow }) {
  const { user } = useViewer();
  const link = useRef<HTMLAnchorElement>(null);
  const isCurrent = row.id === currentId;
  useEffect(() => {
    if (isCurrent) link.current?.focus();
  }, [isCurrent]);
  const title = getTransferTitle(row);
  const { amount, currency, direction, reason, assignee, note, reference, payerName, undoneAt } = row;
  const details = [
    undoneAt !== null ? t.transfer.statementUndone : reason !== null && formatTransferReason(reason, 'short'),
    payerName && reference,
    assignee && fillText(t.review.assignedTo, { assignee: formatAssignee(assignee, user.id) }),
    note && `“${note}”`,
  ].filter(Boolean);
  return (
    <li className={classes.item} data-current={isCurrent || undefined}>
      <Checkbox
        aria-label={fillText(t.review.select, { title })}
        checked={selectedIds.has(row.id)}
        onChange={() => onToggle(row.id)}
      />
      <div className={classes.text}>
        <Anchor
          component={RouterLink}
          href={`/transfers/${row.id}`}
          inherit
          fw={600}
          ref={link}
          aria-current={isCurrent || undefined}
          data-keeps-focus={isCurrent || undefined}
          onClick={(event: MouseEvent) => {
            if (event.ctrlKey || event.metaKey || event.shiftKey) return;
            event.preventDefault();
            onOpen(row.id);
          }}
        >
          {title}
        </Anchor>
        <Text size="xs" c="var(--causeway-muted)" className={classes.details}>
          {details.join(' · ')}
        </Text>
      </div>
      <div className={classes.totals}>
        <Amount value={direction === 'debit' ? `-${amount}` : amount} currency={currency} />
        <Text
          size="xs"
          c="var(--causeway-muted)"
          title={formatMoment(row.paidAt, row.isPaidAtDateOnly ? 'date' : 'long')}
        >
          {formatMoment(row.paidAt, row.isPaidAtDateOnly ? 'date' : 'day')}
        </Text>
      </div>
    </li>
  );
}
