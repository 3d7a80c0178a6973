import { Button, Checkbox, Group, Paper, Text } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { Link as RouterLink } from 'wouter';
import { fillText } from '../../../language/fill-text.ts';
import { BackLink } from '../../components/back-link.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FilterBar, FilterSearchForm, FilterSelect } from '../../components/filter-bar.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Pager } from '../../components/pager.tsx';
import { Section } from '../../components/section.tsx';
import { useCursor } from '../../components/use-cursor.ts';
import { findChoice, toArray, toFilter, useFilter } from '../../components/use-filter.ts';
import { isZero } from '../../format/amount.ts';
import { formatCount, pluralize } from '../../format/count.ts';
import type { VariablesOf } from '../../graphql/graphql.ts';
import { useLiveUpdates } from '../../graphql/use-live-updates.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { t } from '../../language/texts.ts';
import { useHasPermission, useViewer } from '../../viewer.ts';
import { useAccountNames } from '../receiving-account/use-account-names.ts';
import { DismissDialog } from '../transfer/dismiss-button.tsx';
import { getRulePath } from '../transfer/transfer-actions.tsx';
import { transferReasons } from '../transfer/transfer-reasons.ts';
import { transfersUpdated } from '../transfer/transfer-row.ts';
import { AssignToMeButton } from './assign-to-me-button.tsx';
import { KeyHelp } from './key-help.tsx';
import classes from './review.module.css';
import { ReviewDetails } from './review-details.tsx';
import { ReviewList } from './review-list.tsx';
import { type ReviewRow, reviewQuery } from './review-query.ts';
import { ReviewedNotice } from './reviewed-notice.tsx';
import { type TransferSelection, useCurrentTransfer } from './use-current-transfer.ts';
import { useReviewKeys } from './use-review-keys.ts';

export default function ReviewPage() {
  const cursor = useCursor();
  const { filter, isFiltered } = useReviewFilter();
  const query = useCachedQuery(reviewQuery, { filter, ...cursor.variables });
  const [reviewedId, setReviewedId] = useState<string>();
  useLiveUpdates(transfersUpdated, {}, query.refresh);
  const finishReview = (ids: readonly string[]) => {
    setReviewedId(ids.length === 1 ? ids[0] : undefined);
    query.refresh();
  };
  const hasPane = useMediaQuery('(min-width: 75em)', false, { getInitialValueInEffect: false });
  const { listPath, ...selection } = useCurrentTransfer(hasPane);
  const { nodes: rows = [], totalCount } = query.data?.transfers ?? {};
  const isItemPage = !hasPane && rows.some(({ id }) => id === selection.currentId);
  return (
    <>
      {isItemPage ? (
        <>
          <BackLink to={listPath}>{t.common.needsReview}</BackLink>
          <PageHeader
            key={selection.currentId}
            title={pluralize(totalCount ?? rows.length, t.review.toReview)}
          />
        </>
      ) : (
        <>
          <PageHeader title={t.common.needsReview} text={t.review.transfersThatCouldNot}>
            <Button component={RouterLink} href="/review/rules" variant="default">
              {t.review.ignoreRules}
            </Button>
          </PageHeader>
          <ReviewFilterBar />
        </>
      )}
      <div role="status">
        {reviewedId !== undefined && <ReviewedNotice key={reviewedId} id={reviewedId} />}
      </div>
      <Loaded query={query} lines={8}>
        {({ transfers: { nodes, pageInfo, totalCount } }) =>
          nodes.length === 0 ? (
            <Section title={t.common.needsReview}>
              <EmptyState title={isFiltered ? t.review.noTransfersFound : t.review.allCaughtUp}>
                {isFiltered ? t.common.tryDifferentFilters : t.review.noTransfersNeedReview}
              </EmptyState>
            </Section>
          ) : (
            <Inbox
              rows={nodes}
              totalCount={totalCount ?? nodes.length}
              hasPane={hasPane}
              {...selection}
              onReviewed={finishReview}
              onChanged={query.refresh}
            >
              <Pager cursor={cursor} pageInfo={pageInfo} />
            </Inbox>
          )
        }
      </Loaded>
    </>
  );
}

type ReviewFilter = NonNullable<VariablesOf<typeof reviewQuery>['filter']>;

const assigneeChoices = [{ value: 'me', label: t.review.me }] as const;

function useReviewFilter(): { filter: ReviewFilter; isFiltered: boolean } {
  const { getFilter } = useFilter();
  const { user } = useViewer();
  const { filter, isFiltered } = toFilter<ReviewFilter>({
    reasons: toArray(findChoice(getFilter('reason'), transferReasons)),
    receivingAccountId: getFilter('account'),
    assigneeId: getFilter('assignee') === 'me' ? user.id : null,
    search: getFilter('search'),
  });
  return { filter: { ...filter, statuses: ['exception'] }, isFiltered };
}

function ReviewFilterBar() {
  const { data: accounts = [] } = useAccountNames();
  return (
    <FilterBar>
      <FilterSelect
        name="reason"
        label={t.common.reason}
        placeholder={t.review.anyReason}
        choices={transferReasons}
        comboboxProps={{ width: 340, position: 'bottom-start' }}
      />
      <FilterSelect
        name="account"
        label={t.common.account}
        choices={accounts}
        searchable
        comboboxProps={{ width: 340, position: 'bottom-start' }}
      />
      <FilterSelect
        name="assignee"
        label={t.review.reviewedBy}
        placeholder={t.review.anybody}
        choices={assigneeChoices}
      />
      <FilterSearchForm
        fields={[
          {
            name: 'search',
            label: t.common.search,
            type: 'search',
            placeholder: t.review.referencePayerBankReference,
          },
        ]}
      />
    </FilterBar>
  );
}

type InboxProps = TransferSelection & {
  rows: readonly ReviewRow[];
  /** Whether the details are beside the list; otherwise they replace it. */
  hasPane: boolean;
  totalCount: number;
  /** Called after transfers were reviewed here. */
  onReviewed: (ids: readonly string[]) => void;
  onChanged: () => void;
  children: ReactNode;
};

/** The list with its selection. The details of the current transfer are beside it, or on a phone replace it. */
function Inbox(props: InboxProps) {
  const { rows, totalCount, hasPane, currentId, setCurrentId, onReviewed, onChanged, children } = props;
  const canManageTransfers = useHasPermission('transfers');
  const [chosenIds, setChosenIds] = useState<ReadonlySet<string>>(new Set());
  const [assigningId, setAssigningId] = useState<string>();
  // Stored when the dialog opens, because a live update must not change what the user confirms.
  const [toDismiss, setToDismiss] = useState<readonly ReviewRow[]>([]);
  const [isDismissing, dismissing] = useDisclosure();
  // A transfer that was reviewed, here or by a colleague, leaves the list and the selection.
  const selected = rows.filter(({ id }) => chosenIds.has(id));
  const position = rows.findIndex(({ id }) => id === currentId);
  const current = rows[position];
  const move = (step: number) => {
    const next = position === -1 ? 0 : Math.min(Math.max(position + step, 0), rows.length - 1);
    setCurrentId(rows[next]?.id ?? null);
  };
  const toggle = (id: string) => setChosenIds((ids) => ids.symmetricDifference(new Set([id])));
  const targets = selected.length > 0 ? selected : rows.filter(({ id }) => id === currentId);
  const dismissable = targets.filter(canDismiss);
  const openDismissDialog = () => {
    setToDismiss(dismissable);
    dismissing.open();
  };
  useReviewKeys({
    j: () => move(1),
    k: () => move(-1),
    x: () => current && toggle(current.id),
    a: () =>
      canManageTransfers && current && !isZero(current.amountUnallocated) && setAssigningId(current.id),
    e: () => canManageTransfers && dismissable.length > 0 && openDismissDialog(),
    '/': () => document.querySelector<HTMLInputElement>('search input[type="search"]')?.focus(),
  });
  const finish = (ids: readonly string[]) => {
    setChosenIds(new Set());
    const next = rows.slice(position + 1).find(({ id }) => !ids.includes(id));
    if (current && ids.includes(current.id)) setCurrentId((next ?? rows[position - 1])?.id ?? null);
    onReviewed(ids);
  };
  const details = current && (
    <ReviewDetails
      key={current.id}
      id={current.id}
      isAssigning={assigningId === current.id}
      onAssigned={() => setAssigningId(undefined)}
      onChanged={() => finish([current.id])}
    />
  );
  const idsToDismiss = toDismiss.map(({ id }) => id);
  const [only] = toDismiss.length === 1 ? toDismiss : [];
  const dismissDialog = (
    <DismissDialog
      ids={idsToDismiss}
      {...(only && { rulePath: getRulePath(only) })}
      opened={isDismissing}
      onClose={dismissing.close}
      onChanged={() => finish(idsToDismiss)}
    />
  );
  if (details && !hasPane)
    return (
      <>
        <Paper withBorder radius="lg" p="lg" bg="var(--causeway-card)">
          {details}
        </Paper>
        {dismissDialog}
      </>
    );
  return (
    <div className={classes.columns}>
      <Section
        title={pluralize(totalCount, t.review.toReview)}
        isFlush
        aside={
          <Checkbox
            label={t.review.selectAll}
            checked={selected.length === rows.length}
            indeterminate={selected.length > 0 && selected.length < rows.length}
            onChange={({ currentTarget }) =>
              setChosenIds(new Set(currentTarget.checked ? rows.map(({ id }) => id) : []))
            }
          />
        }
      >
        {selected.length > 0 && (
          <Group px="lg" pb="sm" gap="sm" role="group" aria-label={t.review.selectedTransfers}>
            <Text size="sm" fw={600}>
              {fillText(t.review.selected, { count: formatCount(selected.length) })}
            </Text>
            {canManageTransfers && (
              <Button size="compact-sm" disabled={dismissable.length === 0} onClick={openDismissDialog}>
                {t.review.markAsNotCustomerPayments}
              </Button>
            )}
            <AssignToMeButton ids={selected.map(({ id }) => id)} onChanged={onChanged} />
          </Group>
        )}
        <ReviewList
          rows={rows}
          currentId={currentId}
          selectedIds={chosenIds}
          onToggle={toggle}
          onOpen={setCurrentId}
        />
        {children}
        <KeyHelp />
      </Section>
      {hasPane && (
        <Paper withBorder radius="lg" p="lg" bg="var(--causeway-card)" className={classes.pane}>
          {details ?? (
            <EmptyState title={t.review.noTransferSelected}>{t.review.chooseOneFromThe}</EmptyState>
          )}
        </Paper>
      )}
      {dismissDialog}
    </div>
  );
}

/** Only an incoming transfer of which no part is allocated can be dismissed. */
function canDismiss({ direction, amount, amountUnallocated }: ReviewRow): boolean {
  return direction === 'credit' && amount === amountUnallocated;
}
