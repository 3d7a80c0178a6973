import { Checkbox, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useMutation, useQuery } from 'urql';
import { useSearchParams } from 'wouter';
import { BackLink } from '../../components/back-link.tsx';
import { ConfirmButton, rowButtonProps } from '../../components/confirm-button.tsx';
import { DataTable, type TableColumn } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Form, SubmitButton } from '../../components/form.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { searchableSelectProps } from '../../components/searchable-select-props.ts';
import { Section } from '../../components/section.tsx';
import { useFormState } from '../../components/use-form-state.ts';
import { useMutationAction } from '../../components/use-mutation-action.ts';
import { formatCount, pluralize } from '../../format/count.ts';
import type { ResultOf } from '../../graphql/graphql.ts';
import { useAllPages } from '../../graphql/use-all-pages.ts';
import { useHasPermission } from '../../viewer.ts';
import { useMethodName } from '../payment-methods.ts';
import { useAccountNames } from '../receiving-account/use-account-names.ts';
import { TransferTable } from '../transfer/transfer-table.tsx';
import {
  createIgnoreRuleMutation,
  deleteIgnoreRuleMutation,
  ignoreRulePreviewQuery,
  ignoreRulesQuery,
} from './review-query.ts';

const getAccounts = (data: ResultOf<typeof ignoreRulesQuery>) => data.receivingAccounts;

/** The rules that keep transfers such as interest out of the review. */
export default function RulesPage() {
  const query = useAllPages(ignoreRulesQuery, getAccounts);
  const canManageTransfers = useHasPermission('transfers');
  return (
    <>
      <BackLink to="/review">Needs review</BackLink>
      <PageHeader
        title="Ignore rules"
        text="Transfers that contain one of these texts and name no charge never need review. Their money stays on the account."
      />
      <Stack gap="lg">
        {canManageTransfers && <NewRule onCreated={query.refresh} />}
        <Section title="Rules" isFlush>
          <Loaded query={query} lines={3}>
            {(accounts) => <RuleTable accounts={accounts} onChanged={query.refresh} />}
          </Loaded>
        </Section>
      </Stack>
    </>
  );
}

type AccountRules = ResultOf<typeof ignoreRulesQuery>['receivingAccounts']['nodes'][number];

function RuleTable({ accounts, onChanged }: { accounts: readonly AccountRules[]; onChanged: () => void }) {
  const methodName = useMethodName();
  const canManageTransfers = useHasPermission('transfers');
  const remove = useMutationAction(deleteIgnoreRuleMutation, onChanged);
  const rows = accounts.flatMap(({ id: accountId, method, account, ignoredTexts }) =>
    ignoredTexts.map((text) => ({ id: `${accountId} ${text}`, accountId, method, account, text })),
  );
  const columns: TableColumn<(typeof rows)[number]>[] = [
    { title: 'Text', cell: ({ text }) => <strong>{text}</strong> },
    { title: 'Account', cell: ({ method, account }) => `${methodName(method)}, ${account}` },
    {
      title: 'Actions',
      cell: ({ accountId, text }) =>
        canManageTransfers && (
          <ConfirmButton
            {...rowButtonProps}
            label="Remove"
            name={`Remove ${text}`}
            title={`Remove the rule “${text}”?`}
            confirmLabel="Remove"
            onConfirm={() => remove({ input: { receivingAccountId: accountId, text } })}
          >
            <Text size="sm">
              New transfers with this text need review again. Those that were ignored stay ignored.
            </Text>
          </ConfirmButton>
        ),
    },
  ];
  if (rows.length === 0) return <EmptyState title="No rules yet">Add a rule above.</EmptyState>;
  return <DataTable label="Rules" columns={columns} rows={rows} />;
}

const previewDelayMs = 300;
const textMin = 3;

/** Adds a rule. The query string of the URL prefills it. */
function NewRule({ onCreated }: { onCreated: () => void }) {
  const [params] = useSearchParams();
  const { data: accounts = [] } = useAccountNames();
  const [accountId, setAccountId] = useState(params.get('account'));
  const [text, setText] = useState(params.get('text') ?? '');
  const [dismissUnmatched, setDismissUnmatched] = useState(true);
  const [{ fetching }, create] = useMutation(createIgnoreRuleMutation);
  const formState = useFormState(['text']);
  const [dismissedCount, setDismissedCount] = useState<number>();
  const submit = async () => {
    if (accountId === null) return formState.setErrors({ error: 'Choose the account.' });
    const response = await create({ input: { receivingAccountId: accountId, text, dismissUnmatched } });
    formState.handleResult(response);
    const result = response.data?.createIgnoreRule;
    if (result?.__typename !== 'CreateIgnoreRuleSuccess') return;
    setText('');
    setDismissedCount(result.dismissedCount);
    onCreated();
  };
  return (
    <Section title="New rule">
      <Form state={formState} onSubmit={submit}>
        <Group align="flex-start" grow preventGrowOverflow={false}>
          <Select
            label="Account"
            placeholder="Choose"
            {...searchableSelectProps}
            data={accounts}
            value={accountId}
            onChange={setAccountId}
            miw={{ base: '100%', sm: '16rem' }}
          />
          <TextInput
            label="Text of the transfer"
            description="In the reference or the name of the payer"
            placeholder="INTEREST"
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
            error={formState.fieldErrors.text}
            maxLength={100}
          />
        </Group>
        <RulePreview accountId={accountId} text={text.trim()} />
        <Checkbox
          label="Also dismiss those that need review now"
          checked={dismissUnmatched}
          onChange={({ currentTarget }) => setDismissUnmatched(currentTarget.checked)}
        />
        <div role="status">
          {dismissedCount !== undefined && (
            <Text size="sm">
              The rule was added.{' '}
              {dismissedCount > 0 && `${pluralize(dismissedCount, 'transfer')} left the review.`}
            </Text>
          )}
        </div>
        <SubmitButton isBusy={fetching}>Add rule</SubmitButton>
      </Form>
    </Section>
  );
}

/** Shows what the rule would have ignored. */
function RulePreview({ accountId, text }: { accountId: string | null; text: string }) {
  const [searched] = useDebouncedValue(text, previewDelayMs);
  const isComplete = accountId !== null && searched.length >= textMin;
  const [{ data }] = useQuery({
    query: ignoreRulePreviewQuery,
    variables: { receivingAccountId: accountId ?? '', text: searched },
    pause: !isComplete,
    requestPolicy: 'network-only',
  });
  const preview = isComplete ? data?.ignoreRulePreview : undefined;
  if (!preview) return null;
  const { count, unmatchedCount, assignedCount, transfers } = preview;
  return (
    <Stack gap="xs" role="group" aria-label="Preview">
      <Text size="sm" fw={600}>
        {count === 0
          ? 'No earlier transfer contains this text.'
          : `This rule would have ignored ${pluralize(count, 'transfer')}, of which ${formatCount(unmatchedCount)} now ${unmatchedCount === 1 ? 'needs' : 'need'} review.`}
      </Text>
      {assignedCount > 0 && (
        <Text size="sm" c="red">
          You assigned {formatCount(assignedCount)} of them to charges. The rule would hide such payments.
        </Text>
      )}
      {transfers.length > 0 && <TransferTable transfers={transfers} />}
    </Stack>
  );
}
