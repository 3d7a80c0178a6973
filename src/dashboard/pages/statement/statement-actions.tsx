import { Alert, List, Text } from '@mantine/core';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { Link } from '../../components/link.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { useMutationAction } from '../../components/use-mutation-action.ts';
import { pluralize } from '../../format/count.ts';
import { userErrorFields } from '../../graphql/errors.ts';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { useFreshQuery } from '../../graphql/use-query-state.ts';
import type { Plural } from '../../language/strings.ts';
import { t } from '../../language/texts.ts';
import { useHasPermission } from '../../viewer.ts';

type StatementActionsProps = {
  statement: { id: string; status: string; recordedCount: number };
  onChanged: () => void;
};

export function StatementActions(props: StatementActionsProps) {
  const { status, recordedCount } = props.statement;
  const canManageTransfers = useHasPermission('transfers');
  if (!canManageTransfers) return null;
  if (status === 'awaiting_confirmation') {
    return (
      <>
        <ConfirmImportButton {...props} />
        <CancelButton {...props} />
      </>
    );
  }
  if (status === 'queued' || status === 'running') return <CancelButton {...props} />;
  const canUndo = ['completed', 'cancelled', 'failed'].includes(status) && recordedCount > 0;
  return canUndo ? <UndoButton {...props} /> : null;
}

function ConfirmImportButton({ statement, onChanged }: StatementActionsProps) {
  const confirm = useMutationAction(confirmStatementMutation, onChanged);
  return (
    <ConfirmButton
      label={t.statement.importAnyway}
      title={t.statement.importThisFileAnyway}
      onConfirm={() => confirm({ input: { id: statement.id } })}
    >
      <Text size="sm">{t.statement.theFileDoesNot}</Text>
    </ConfirmButton>
  );
}

function CancelButton({ statement, onChanged }: StatementActionsProps) {
  const cancel = useMutationAction(cancelStatementMutation, onChanged);
  return (
    <ConfirmButton
      label={t.statement.cancelImport}
      title={t.statement.cancelThisImport}
      cancelLabel={t.statement.keepImporting}
      variant="default"
      isDanger
      onConfirm={() => cancel({ input: { id: statement.id } })}
    >
      <Text size="sm">{t.statement.entriesThatAreAlready}</Text>
    </ConfirmButton>
  );
}

function UndoButton({ statement, onChanged }: StatementActionsProps) {
  const undo = useMutationAction(undoStatementMutation, onChanged);
  return (
    <ConfirmButton
      label={t.statement.undoImport}
      title={t.statement.undoThisImport}
      cancelLabel={t.statement.keepImport}
      variant="default"
      isDanger
      onConfirm={() => undo({ input: { id: statement.id } })}
    >
      <UndoConsequences id={statement.id} />
    </ConfirmButton>
  );
}

function UndoConsequences({ id }: { id: string }) {
  const query = useFreshQuery(undoPreviewQuery, { id });
  return (
    <Loaded query={query} lines={4}>
      {({ statementUndoPreview: preview }) =>
        preview && (
          <>
            <List size="sm">
              {describeConsequences(preview).map((text) => (
                <List.Item key={text}>{text}</List.Item>
              ))}
            </List>
            {preview.blockingRefundCount > 0 && <BlockingRefunds preview={preview} />}
          </>
        )
      }
    </Loaded>
  );
}

function BlockingRefunds({ preview }: { preview: UndoPreview }) {
  const { blockingRefunds, blockingRefundCount } = preview;
  return (
    <Alert color="red" variant="light" role="alert" title={t.statement.thisImportCannotBe}>
      <Text size="sm">
        {pluralize(blockingRefundCount, t.statement.blockingRefundCount)}
        {blockingRefunds.map((refund, index) => (
          <span key={refund.id}>
            {index > 0 ? ', ' : ' '}
            <Link to={`/refunds/${refund.id}`}>{refund.id}</Link>
          </span>
        ))}
        {blockingRefundCount > blockingRefunds.length && ', …'}
      </Text>
    </Alert>
  );
}

/** Describes what undoing the statement changes, the most important change first. */
function describeConsequences(preview: UndoPreview): string[] {
  const {
    transferCount,
    takenOverCount,
    completedChargeCount,
    openChargeCount,
    subscriptionCount,
    cancelledRefundCount,
    payoutCount,
    returnedCount,
    dismissedCount,
    restoredCount,
  } = preview;
  const when = (count: number, texts: Plural) => (count > 0 ? [pluralize(count, texts)] : []);
  return [
    pluralize(transferCount, t.statement.willBeRemovedFrom),
    ...when(completedChargeCount, t.statement.willLoseReceivedMoney),
    ...when(openChargeCount, t.statement.willLosePartPayments),
    ...when(subscriptionCount, t.statement.willBeFlaggedPaid),
    ...when(cancelledRefundCount, t.statement.withoutPayoutDetailsWill),
    ...when(payoutCount, t.statement.willLoseTheTransfer),
    ...when(returnedCount, t.statement.wasMarkedAsReturned),
    ...when(dismissedCount, t.statement.wasDismissed),
    ...when(restoredCount, t.statement.willBeAppliedAgain),
    ...when(takenOverCount, t.statement.wasAlsoReportedBy),
  ];
}

const undoPreviewQuery = graphql(`
  query StatementUndoPreview($id: ID!) {
    statementUndoPreview(id: $id) {
      transferCount
      takenOverCount
      completedChargeCount
      openChargeCount
      subscriptionCount
      cancelledRefundCount
      payoutCount
      returnedCount
      dismissedCount
      restoredCount
      blockingRefundCount
      blockingRefunds {
        id
      }
    }
  }
`);

type UndoPreview = NonNullable<ResultOf<typeof undoPreviewQuery>['statementUndoPreview']>;

const cancelStatementMutation = graphql(
  `
    mutation CancelStatement($input: CancelStatementInput!) {
      cancelStatement(input: $input) {
        __typename
        ... on CancelStatementSuccess {
          statement {
            id
            status
          }
        }
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);

const confirmStatementMutation = graphql(
  `
    mutation ConfirmStatement($input: ConfirmStatementInput!) {
      confirmStatement(input: $input) {
        __typename
        ... on ConfirmStatementSuccess {
          statement {
            id
            status
          }
        }
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);

const undoStatementMutation = graphql(
  `
    mutation UndoStatement($input: UndoStatementInput!) {
      undoStatement(input: $input) {
        __typename
        ... on UndoStatementSuccess {
          statement {
            id
            status
          }
        }
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);
