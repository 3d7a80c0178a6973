import { Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useMutation } from 'urql';
import { fillText } from '../../../language/fill-text.ts';
import { DestructiveButton } from '../../components/confirm-button.tsx';
import { CopyText } from '../../components/copy-text.tsx';
import { DataTable, type TableColumn } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Form, SubmitButton } from '../../components/form.tsx';
import { HoursSelect } from '../../components/hours-select.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Moment } from '../../components/moment.tsx';
import { Muted } from '../../components/muted.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Paged } from '../../components/paged.tsx';
import type { Secret } from '../../components/secret-reveal.tsx';
import { SecretsDialog } from '../../components/secrets-dialog.tsx';
import { Section } from '../../components/section.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { TwoLines } from '../../components/two-lines.tsx';
import { useCursor } from '../../components/use-cursor.ts';
import { useFormState } from '../../components/use-form-state.ts';
import { useMutationAction } from '../../components/use-mutation-action.ts';
import { WholeWords } from '../../components/whole-words.tsx';
import { formatList } from '../../format/list.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { fillNodes } from '../../language/fill-nodes.tsx';
import { t } from '../../language/texts.ts';
import { useIsOwner } from '../../viewer.ts';
import { ApiKeyForm, getApiKeySecrets } from './api-key-form.tsx';
import {
  type ApiKeyRow,
  apiKeysQuery,
  revokeApiKeyMutation,
  rotateApiKeyMutation,
} from './api-keys-query.ts';

export default function ApiKeysPage() {
  const cursor = useCursor();
  const isOwner = useIsOwner();
  const [opened, { open, close }] = useDisclosure();
  const [rotating, setRotating] = useState<ApiKeyRow>();
  const query = useCachedQuery(apiKeysQuery, cursor.variables);
  return (
    <>
      <PageHeader
        title={t.common.apiKeys}
        text={isOwner ? t.apiKey.keysForYourServers : t.apiKey.onlyOwnersCanCreate}
      >
        {isOwner && <Button onClick={open}>{t.apiKey.newKey}</Button>}
      </PageHeader>
      <ApiKeyForm opened={opened} onClose={close} onSaved={query.refresh} />
      <RotateApiKey apiKey={rotating} onClose={() => setRotating(undefined)} onRotated={query.refresh} />
      <Section title={t.apiKey.allKeys} isFlush>
        <Loaded query={query} lines={6}>
          {({ apiKeys }) => (
            <Paged
              page={apiKeys}
              cursor={cursor}
              empty={<EmptyState title={t.apiKey.noKeysYet}>{t.apiKey.yourServerNeedsA}</EmptyState>}
            >
              {(rows) => (
                <DataTable
                  label={t.common.apiKeys}
                  columns={isOwner ? [...columns, actionsColumn(query.refresh, setRotating)] : columns}
                  rows={rows}
                />
              )}
            </Paged>
          )}
        </Loaded>
      </Section>
    </>
  );
}

const columns: TableColumn<ApiKeyRow>[] = [
  {
    title: t.common.name,
    cell: ({ name, kind }) => (
      <TwoLines below={kind === 'secret' ? t.apiKey.secretKey : t.apiKey.publishableKey} isBold>
        {name}
      </TwoLines>
    ),
  },
  { title: t.common.status, cell: (apiKey) => <ApiKeyStatus apiKey={apiKey} /> },
  {
    title: t.apiKey.key,
    cell: ({ key }) => <CopyText text={truncateKey(key)} value={key} label={t.apiKey.copyKey} />,
  },
  { title: t.apiKey.permissions, cell: (apiKey) => <WholeWords>{formatAccess(apiKey)}</WholeWords> },
  {
    title: t.apiKey.lastUsed,
    cell: ({ lastUsedAt }) => (
      <Muted>
        {lastUsedAt === null
          ? t.apiKey.neverUsed
          : fillNodes(t.apiKey.used, { moment: <Moment at={lastUsedAt} /> })}
      </Muted>
    ),
  },
];

function actionsColumn(onChanged: () => void, onRotate: (apiKey: ApiKeyRow) => void): TableColumn<ApiKeyRow> {
  return {
    title: t.common.actions,
    isEndAligned: true,
    hasButtons: true,
    cell: (apiKey) => (
      <ApiKeyActions apiKey={apiKey} onChanged={onChanged} onRotate={() => onRotate(apiKey)} />
    ),
  };
}

function truncateKey(key: string): string {
  return `${key.slice(0, 12)}…`;
}

function ApiKeyStatus({ apiKey: { status, expiresAt } }: { apiKey: ApiKeyRow }) {
  return (
    <Stack gap={2} align="flex-start">
      <StatusBadge status={status} />
      {status === 'expiring' && expiresAt !== null && (
        <Text size="xs" c="var(--causeway-muted)" span>
          {fillNodes(t.apiKey.until, { moment: <Moment at={expiresAt} /> })}
        </Text>
      )}
    </Stack>
  );
}

function formatAccess({ kind, permissions, allowedOrigins }: ApiKeyRow): string {
  if (kind === 'secret') return formatList(permissions);
  return allowedOrigins.length === 0
    ? t.apiKey.startCheckouts
    : fillText(t.apiKey.startCheckoutsThatReturn, { origins: formatList(allowedOrigins) });
}

type ApiKeyActionsProps = { apiKey: ApiKeyRow; onChanged: () => void };

function ApiKeyActions({ apiKey, onChanged, onRotate }: ApiKeyActionsProps & { onRotate: () => void }) {
  const [isEditing, editDialog] = useDisclosure();
  if (apiKey.status === 'revoked' || apiKey.status === 'expired') return null;
  return (
    <Group gap="xs" justify="flex-end">
      <Button size="compact-sm" variant="default" onClick={editDialog.open}>
        {t.common.edit}
      </Button>
      <ApiKeyForm opened={isEditing} apiKey={apiKey} onClose={editDialog.close} onSaved={onChanged} />
      {apiKey.replacedBy === null && (
        <Button size="compact-sm" variant="default" onClick={onRotate}>
          {t.apiKey.rotate}
        </Button>
      )}
      <RevokeApiKey apiKey={apiKey} onChanged={onChanged} />
    </Group>
  );
}

function RevokeApiKey({ apiKey, onChanged }: ApiKeyActionsProps) {
  const revoke = useMutationAction(revokeApiKeyMutation, onChanged);
  return (
    <DestructiveButton
      label={t.apiKey.revoke}
      title={t.apiKey.revokeThisKey}
      confirmLabel={t.apiKey.revokeKey}
      onConfirm={() => revoke({ input: { id: apiKey.id } })}
    >
      <Text size="sm">{fillText(t.apiKey.willBeRejectedImmediately, { name: apiKey.name })}</Text>
    </DestructiveButton>
  );
}

const expiryChoices = [
  { value: '0', label: t.apiKey.expiresNow },
  { value: '1', label: t.apiKey.expiresIn1Hour },
  { value: '24', label: t.apiKey.expiresIn1Day },
  { value: '168', label: t.apiKey.expiresIn1Week },
  { value: '720', label: t.apiKey.expiresIn30Days },
];

/**
 * Rotates a key and shows the new secret once. The page renders this dialog, because the row that opened it may
 * leave the list while the secret is still shown.
 */
function RotateApiKey(props: { apiKey: ApiKeyRow | undefined; onClose: () => void; onRotated: () => void }) {
  const { apiKey, onClose, onRotated } = props;
  return (
    <SecretsDialog
      opened={apiKey !== undefined}
      onClose={onClose}
      title={t.apiKey.rotateKey}
      createdTitle={t.apiKey.theNewKey}
      onSaved={onRotated}
      form={(onCreated) => apiKey && <RotateApiKeyForm apiKey={apiKey} onRotated={onCreated} />}
    />
  );
}

function RotateApiKeyForm({
  apiKey,
  onRotated,
}: {
  apiKey: ApiKeyRow;
  onRotated: (secrets: Secret[]) => void;
}) {
  const [{ fetching }, rotate] = useMutation(rotateApiKeyMutation);
  const [hours, setHours] = useState('24');
  const formState = useFormState();
  const submit = async () => {
    const response = await rotate({ input: { id: apiKey.id, overlapHours: Number(hours) } });
    if (formState.handleResult(response)) onRotated(getApiKeySecrets(response.data));
  };
  return (
    <Form state={formState} onSubmit={submit}>
      <Text size="sm">{fillText(t.apiKey.aNewKeyWith, { name: apiKey.name })}</Text>
      <HoursSelect label={t.apiKey.oldKey} choices={expiryChoices} hours={hours} onChoose={setHours} />
      <SubmitButton isBusy={fetching}>{t.apiKey.rotateKey}</SubmitButton>
    </Form>
  );
}
