import { Checkbox, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useMutation, useQuery } from 'urql';
import { useSearchParams } from 'wouter';
import { fillText } from '../../../language/fill-text.ts';
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
import { pluralize } from '../../format/count.ts';
import { formatMethod } from '../../format/labels.ts';
import type { ResultOf } from '../../graphql/graphql.ts';
import { useAllPages } from '../../graphql/use-all-pages.ts';
import { t } from '../../language/texts.ts';
import { useHasPermission } from '../../viewer.ts';
import { useAccountNames } from '../receiving-account/use-account-names.ts';
import { TransferTable } from '../transfer/transfer-table.tsx';
import {
  createIgnoreRuleMutation,
  deleteIgnoreRuleMutation,
  ignoreRulePreviewQuery,
  ignoreRulesQuery,
} from './review-query.ts';

const getAccounts = (data: ResultOf<typeof ignoreRulesQuery>) => data.receivingAccounts;

/** Ignore rules keep transfers such as interest out of the review. */
export default function RulesPage() {
  const query = useAllPages(ignoreRulesQuery, getAccounts);
  const canManageTransfers = useHasPermission('transfers');
  return (
    <>
      <BackLink to="/review">{t.common.needsReview}</BackLink>
      <PageHeader title={t.review.ignoreRules} text={t.review.transfersThatContainOne} />
      <Stack gap="lg">
        {canManageTransfers && <NewRule onCreated={query.refresh} />}
        <Section title={t.review.rules} isFlush>
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
  const canManageTransfers = useHasPermission('transfers');
  const remove = useMutationAction(deleteIgnoreRuleMutation, onChanged);
  const rows = accounts.flatMap(({ id: accountId, method, account, ignoredTexts }) =>
    ignoredTexts.map((text) => ({ id: `${accountId} ${text}`, accountId, method, account, text })),
  );
  const columns: TableColumn<(typeof rows)[number]>[] = [
    { title: t.review.text, cell: ({ text }) => <strong>{text}</strong> },
    { title: t.common.account, cell: ({ method, account }) => `${formatMethod(method)} · ${account}` },
    {
      title: t.common.actions,
      cell: ({ accountId, text }) =>
        canManageTransfers && (
          <ConfirmButton
            {...rowButtonProps}
            label={t.common.remove}
            name={fillText(t.review.remove, { text })}
            title={fillText(t.review.removeTheRule, { text })}
            confirmLabel={t.common.remove}
            onConfirm={() => remove({ input: { receivingAccountId: accountId, text } })}
          >
            <Text size="sm">{t.review.newTransfersWithThis}</Text>
          </ConfirmButton>
        ),
    },
  ];
  if (rows.length === 0) return <EmptyState title={t.review.noRulesYet}>{t.review.addARuleAbove}</EmptyState>;
  return <DataTable label={t.review.rules} columns={columns} rows={rows} />;
}

const previewDelayMs = 300;
const textMin = 3;

/** The query string of the URL prefills the rule. */
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
    if (accountId === null) return formState.setErrors({ error: t.review.chooseTheAccount });
    const response = await create({ input: { receivingAccountId: accountId, text, dismissUnmatched } });
    formState.handleResult(response);
    const result = response.data?.createIgnoreRule;
    if (result?.__typename !== 'CreateIgnoreRuleSuccess') return;
    setText('');
    setDismissedCount(result.dismissedCount);
    onCreated();
  };
  return (
    <Section title={t.review.newRule}>
      <Form state={formState} onSubmit={submit}>
        <Group align="flex-start" grow preventGrowOverflow={false}>
          <Select
            label={t.common.account}
            placeholder={t.review.choose}
            {...searchableSelectProps}
            data={accounts}
            value={accountId}
            onChange={setAccountId}
            miw={{ base: '100%', sm: '16rem' }}
          />
          <TextInput
            label={t.review.textOfTheTransfer}
            description={t.review.inTheReferenceOr}
            placeholder={t.review.interest}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
            error={formState.fieldErrors.text}
            maxLength={100}
          />
        </Group>
        <RulePreview accountId={accountId} text={text.trim()} />
        <Checkbox
          label={t.review.alsoDismissThoseThat}
          checked={dismissUnmatched}
          onChange={({ currentTarget }) => setDismissUnmatched(currentTarget.checked)}
        />
        <div role="status">
          {dismissedCount !== undefined && (
            <Text size="sm">
              {t.review.theRuleWasAdded}
              {dismissedCount > 0 && ` ${pluralize(dismissedCount, t.review.leftTheReview)}`}
            </Text>
          )}
        </div>
        <SubmitButton isBusy={fetching}>{t.review.addRule}</SubmitButton>
      </Form>
    </Section>
  );
}

/** Shows the transfers that the rule would have ignored. */
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
    <Stack gap="xs" role="group" aria-label={t.common.preview}>
      <Text size="sm" fw={600}>
        {count === 0
          ? t.review.noEarlierTransferContains
          : [
              pluralize(count, t.review.thisRuleWouldHave),
              unmatchedCount > 0 && pluralize(unmatchedCount, t.review.reviewCount),
            ]
              .filter(Boolean)
              .join(' ')}
      </Text>
      {assignedCount > 0 && (
        <Text size="sm" c="red">
          {pluralize(assignedCount, t.review.youAssignedOfThem)}
        </Text>
      )}
      {transfers.length > 0 && <TransferTable transfers={transfers} />}
    </Stack>
  );
}
