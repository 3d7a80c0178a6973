import { Alert, List, Text } from '@mantine/core';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { Link } from '../../components/link.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { useMutationAction } from '../../components/use-mutation-action.ts';
import { pluralize } from '../../format/count.ts';
import { userErrorFields } from '../../graphql/errors.ts';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { useFreshQuery } from '../../graphql/use-query-state.ts';
import { useHasPermission } from '../../viewer.ts';

type StatementActionsProps = {
  statement: { id: string; status: string; recordedCount: number };
  onChanged: () => void;
};

/** The actions on an import: cancel it while it runs, or undo what it recorded. */
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
      label="Import anyway"
      title="Import this file anyway?"
      onConfirm={() => confirm({ input: { id: statement.id } })}
    >
      <Text size="sm">
        The file does not match its control figures. Entries may be missing, changed, or belong to another
        account. Compare it with your bank first.
      </Text>
    </ConfirmButton>
  );
}

function CancelButton({ statement, onChanged }: StatementActionsProps) {
  const cancel = useMutationAction(cancelStatementMutation, onChanged);
  return (
    <ConfirmButton
      label="Cancel import"
      title="Cancel this import?"
      cancelLabel="Keep importing"
      variant="default"
      isDanger
      onConfirm={() => cancel({ input: { id: statement.id } })}
    >
      <Text size="sm">
        Entries that are already recorded stay recorded. You can undo them after the import has stopped.
      </Text>
    </ConfirmButton>
  );
}

function UndoButton({ statement, onChanged }: StatementActionsProps) {
  const undo = useMutationAction(undoStatementMutation, onChanged);
  return (
    <ConfirmButton
      label="Undo import"
      title="Undo this import?"
      cancelLabel="Keep import"
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
    <Alert color="red" variant="light" role="alert" title="This import cannot be undone">
      <Text size="sm">
        {pluralize(blockingRefundCount, 'refund depends', 'refunds depend')} on its transfers:{' '}
        {blockingRefunds.map((refund, index) => (
          <span key={refund.id}>
            {index > 0 && ', '}
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
    restoredCount,
  } = preview;
  const when = (count: number, text: string) => (count > 0 ? [text] : []);
  return [
    `${pluralize(transferCount, 'transfer')} will be removed from your totals. You can then import the corrected file.`,
    ...when(
      completedChargeCount,
      `${pluralize(completedChargeCount, 'completed charge')} will lose received money. They stay completed, and their transfers need review.`,
    ),
    ...when(openChargeCount, `${pluralize(openChargeCount, 'other charge')} will lose part payments.`),
    ...when(
      subscriptionCount,
      `${pluralize(subscriptionCount, 'subscription')} will be flagged. Paid periods do not change.`,
    ),
    ...when(
      cancelledRefundCount,
      `${pluralize(cancelledRefundCount, 'refund')} without payout details will be cancelled.`,
    ),
    ...when(
      payoutCount,
      `${pluralize(payoutCount, 'completed refund')} will lose the transfer that paid it. Check that the money was sent.`,
    ),
    ...when(returnedCount, `${pluralize(returnedCount, 'transfer')} was marked as returned to the payer.`),
    ...when(
      restoredCount,
      `${pluralize(restoredCount, 'transfer')} of other sources will be applied again, because the reversal is undone.`,
    ),
    ...when(
      takenOverCount,
      `${pluralize(takenOverCount, 'transfer')} was also reported by another source. The other report is applied instead.`,
    ),
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
