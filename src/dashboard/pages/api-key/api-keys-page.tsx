import { Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useMutation } from 'urql';
import { EndButton } from '../../components/confirm-button.tsx';
import { CopyText } from '../../components/copy-text.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { Form, Submit } from '../../components/form.tsx';
import { HoursChoice, inHours } from '../../components/hours-choice.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Moment } from '../../components/moment.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Paged } from '../../components/paged.tsx';
import { Quiet } from '../../components/quiet.tsx';
import { SecretsDialog } from '../../components/secrets-dialog.tsx';
import { Section } from '../../components/section.tsx';
import type { Secret } from '../../components/shown-once.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { TwoLines } from '../../components/two-lines.tsx';
import { useAct } from '../../components/use-act.ts';
import { useCursor } from '../../components/use-cursor.ts';
import { useOutcome } from '../../components/use-outcome.ts';
import { WholeWords } from '../../components/whole-words.tsx';
import { useRead } from '../../graphql/use-read.ts';
import { useIsOwner } from '../../viewer.ts';
import { ApiKeyForm, secretsOf } from './api-key-form.tsx';
import {
  type ApiKeyRow,
  apiKeysQuery,
  revokeApiKeyMutation,
  rotateApiKeyMutation,
} from './api-keys-query.ts';

/** The credentials of the merchant's servers and checkout addresses, of the mode that is shown. */
export default function ApiKeysPage() {
  const cursor = useCursor();
  const isOwner = useIsOwner();
  const [opened, { open, close }] = useDisclosure();
  const [rotating, setRotating] = useState<ApiKeyRow>();
  const read = useRead(apiKeysQuery, cursor.variables);
  return (
    <>
      <PageHeader
        title="API keys"
        text={
          isOwner
            ? 'Keys for your servers and checkout pages in this mode.'
            : 'Only owners can create, rotate and revoke keys.'
        }
      >
        {isOwner && <Button onClick={open}>New key</Button>}
      </PageHeader>
      <ApiKeyForm opened={opened} onClose={close} onSaved={read.refresh} />
      <RotateApiKey apiKey={rotating} onClose={() => setRotating(undefined)} onRotated={read.refresh} />
      <Section title="All keys" flush>
        <Loaded read={read} lines={6}>
          {({ apiKeys }) => (
            <Paged
              page={apiKeys}
              cursor={cursor}
              empty={<Empty title="No keys yet">Your server needs a key to call the API.</Empty>}
            >
              {(rows) => (
                <DataTable
                  label="API keys"
                  columns={isOwner ? [...columns, actions(read.refresh, setRotating)] : columns}
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

const columns: Column<ApiKeyRow>[] = [
  {
    title: 'Name',
    cell: ({ name, kind }) => (
      <TwoLines below={kind === 'secret' ? 'Secret key' : 'Publishable key'} isName>
        {name}
      </TwoLines>
    ),
  },
  { title: 'Status', cell: (apiKey) => <Status apiKey={apiKey} /> },
  { title: 'Key', cell: ({ key }) => <CopyText text={shortened(key)} value={key} what="key" /> },
  { title: 'Permissions', cell: (apiKey) => <WholeWords>{mayText(apiKey)}</WholeWords> },
  {
    title: 'Last used',
    cell: ({ lastUsedAt }) => (
      <Quiet>
        {lastUsedAt === null ? (
          'Never used'
        ) : (
          <>
            Used <Moment at={lastUsedAt} />
          </>
        )}
      </Quiet>
    ),
  },
];

function actions(onChanged: () => void, onRotate: (apiKey: ApiKeyRow) => void): Column<ApiKeyRow> {
  return {
    title: 'Actions',
    end: true,
    buttons: true,
    cell: (apiKey) => (
      <ApiKeyActions apiKey={apiKey} onChanged={onChanged} onRotate={() => onRotate(apiKey)} />
    ),
  };
}

function shortened(key: string): string {
  return `${key.slice(0, 12)}…`;
}

function Status({ apiKey: { status, expiresAt } }: { apiKey: ApiKeyRow }) {
  return (
    <Stack gap={2} align="flex-start">
      <StatusBadge status={status} />
      {status === 'ending' && expiresAt !== null && (
        <Text size="xs" c="var(--causeway-muted)" span>
          until <Moment at={expiresAt} />
        </Text>
      )}
    </Stack>
  );
}

function mayText({ kind, permissions, allowedOrigins }: ApiKeyRow): string {
  if (kind === 'secret') return permissions.join(', ');
  return allowedOrigins.length === 0
    ? 'start checkouts'
    : `start checkouts that return to ${allowedOrigins.join(', ')}`;
}

type Props = { apiKey: ApiKeyRow; onChanged: () => void };

/** What an owner does with a key that works. */
function ApiKeyActions({ apiKey, onChanged, onRotate }: Props & { onRotate: () => void }) {
  const [changing, change] = useDisclosure();
  if (apiKey.status === 'revoked' || apiKey.status === 'expired') return null;
  return (
    <Group gap="xs" justify="flex-end">
      <Button size="compact-sm" variant="default" onClick={change.open}>
        Edit
      </Button>
      <ApiKeyForm opened={changing} apiKey={apiKey} onClose={change.close} onSaved={onChanged} />
      {apiKey.replacedById === null && (
        <Button size="compact-sm" variant="default" onClick={onRotate}>
          Rotate
        </Button>
      )}
      <Revoke apiKey={apiKey} onChanged={onChanged} />
    </Group>
  );
}

function Revoke({ apiKey, onChanged }: Props) {
  const revoke = useAct(revokeApiKeyMutation, onChanged);
  return (
    <EndButton
      label="Revoke"
      title="Revoke this key?"
      confirm="Revoke key"
      onConfirm={() => revoke({ input: { id: apiKey.id } })}
    >
      <Text size="sm">
        {apiKey.name} will be rejected immediately. Anything that still uses it will stop working. This cannot
        be undone.
      </Text>
    </EndButton>
  );
}

const times = [
  { value: '0', label: 'Expires now' },
  { value: '1', label: 'Expires in 1 hour' },
  { value: '24', label: 'Expires in 1 day' },
  { value: '168', label: 'Expires in 1 week' },
  { value: '720', label: 'Expires in 30 days' },
];

/**
 * The dialog that replaces a key, and then shows the new one's secret this once. It belongs to the page: the row it was
 * opened from may leave the list while the secret is still to be copied.
 */
function RotateApiKey(props: { apiKey: ApiKeyRow | undefined; onClose: () => void; onRotated: () => void }) {
  const { apiKey, onClose, onRotated } = props;
  return (
    <SecretsDialog
      opened={apiKey !== undefined}
      onClose={onClose}
      title="Rotate key"
      madeTitle="The new key"
      onSaved={onRotated}
      form={(onMade) => apiKey && <RotateForm apiKey={apiKey} onRotated={onMade} />}
    />
  );
}

function RotateForm({ apiKey, onRotated }: { apiKey: ApiKeyRow; onRotated: (made: Secret[]) => void }) {
  const [{ fetching }, rotate] = useMutation(rotateApiKeyMutation);
  const [hours, setHours] = useState('24');
  const outcome = useOutcome();
  const submit = async () => {
    const answer = await rotate({ input: { id: apiKey.id, oldWorksUntil: inHours(hours) } });
    if (outcome.take(answer)) onRotated(secretsOf(answer.data));
  };
  return (
    <Form outcome={outcome} onSubmit={submit}>
      <Text size="sm">
        A new key with the same permissions replaces {apiKey.name}. Deploy it while the old key still works.
      </Text>
      <HoursChoice label="Old key" choices={times} hours={hours} onChoose={setHours} />
      <Submit isBusy={fetching}>Rotate key</Submit>
    </Form>
  );
}
