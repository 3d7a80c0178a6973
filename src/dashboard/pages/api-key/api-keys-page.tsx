import { Button, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useRead } from '../../graphql/use-read.ts';
import { CopyText } from '../../parts/copy-text.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Moment } from '../../parts/moment.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Paged } from '../../parts/paged.tsx';
import { Quiet } from '../../parts/quiet.tsx';
import { Section } from '../../parts/section.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { TwoLines } from '../../parts/two-lines.tsx';
import { useCursor } from '../../parts/use-cursor.ts';
import { WholeWords } from '../../parts/whole-words.tsx';
import { useIsOwner } from '../../viewer.ts';
import { ApiKeyActions } from './api-key-actions.tsx';
import { ApiKeyForm } from './api-key-form.tsx';
import { type ApiKeyRow, apiKeysQuery } from './api-keys-query.ts';
import { RotateApiKey } from './rotate-api-key.tsx';

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
            ? 'What your servers and checkout addresses identify themselves with, in this mode.'
            : 'Only an owner makes, rotates and revokes keys.'
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
              empty={<Empty title="No keys yet">Your server needs one to call this service.</Empty>}
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
  { title: 'May', cell: (apiKey) => <WholeWords>{mayText(apiKey)}</WholeWords> },
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
    title: 'Change',
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
    ? 'start a checkout'
    : `start a checkout, back to ${allowedOrigins.join(', ')}`;
}
