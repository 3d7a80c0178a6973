import { Button, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useQuery } from 'urql';
import { CopyText } from '../../parts/copy-text.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Moment } from '../../parts/moment.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Pager } from '../../parts/pager.tsx';
import { Section } from '../../parts/section.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { useCursor } from '../../parts/use-cursor.ts';
import { useViewer } from '../../viewer.ts';
import { ApiKeyActions } from './api-key-actions.tsx';
import { ApiKeyForm } from './api-key-form.tsx';
import { type ApiKeyRow, apiKeysQuery } from './api-keys-query.ts';
import { RotateApiKey } from './rotate-api-key.tsx';

/** The credentials of the merchant's servers and checkout addresses, of the mode that is shown. */
export default function ApiKeysPage() {
  const cursor = useCursor();
  const isOwner = useViewer().user.role === 'owner';
  const [opened, { open, close }] = useDisclosure();
  const [rotating, setRotating] = useState<ApiKeyRow>();
  const [{ data, error }, reload] = useQuery({ query: apiKeysQuery, variables: cursor.variables });
  const refresh = () => reload({ requestPolicy: 'network-only' });
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
      <ApiKeyForm opened={opened} onClose={close} onSaved={refresh} />
      <RotateApiKey apiKey={rotating} onClose={() => setRotating(undefined)} onRotated={refresh} />
      <Section title="All keys" flush>
        <Loaded data={data} error={error} onRetry={refresh} lines={6}>
          {({ apiKeys: { nodes, pageInfo } }) => (
            <>
              {nodes.length > 0 ? (
                <DataTable
                  label="API keys"
                  columns={isOwner ? [...columns, actions(refresh, setRotating)] : columns}
                  rows={nodes}
                />
              ) : (
                <Empty title="No keys yet">Your server needs one to call this service.</Empty>
              )}
              <Pager cursor={cursor} pageInfo={pageInfo} />
            </>
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
      <Stack gap={0}>
        <Text size="sm" fw={600} span>
          {name}
        </Text>
        <Text size="xs" c="var(--causeway-muted)" span>
          {kind === 'secret' ? 'Secret key' : 'Publishable key'}
        </Text>
      </Stack>
    ),
  },
  { title: 'Status', cell: (apiKey) => <Status apiKey={apiKey} /> },
  { title: 'Key', cell: ({ key }) => <CopyText text={shortened(key)} value={key} what="key" /> },
  { title: 'May', cell: (apiKey) => <May apiKey={apiKey} /> },
  {
    title: 'Last used',
    cell: ({ lastUsedAt }) => (
      <Text size="sm" c="var(--causeway-muted)" span>
        {lastUsedAt === null ? (
          'Never used'
        ) : (
          <>
            Used <Moment at={lastUsedAt} />
          </>
        )}
      </Text>
    ),
  },
];

function actions(onChanged: () => void, onRotate: (apiKey: ApiKeyRow) => void): Column<ApiKeyRow> {
  return {
    title: 'Change',
    end: true,
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

function May({ apiKey: { kind, permissions, allowedOrigins } }: { apiKey: ApiKeyRow }) {
  if (kind === 'secret')
    return (
      <Text size="sm" span>
        {permissions.join(', ')}
      </Text>
    );
  return (
    <Text size="sm" span>
      start a checkout
      {allowedOrigins.length > 0 && `, back to ${allowedOrigins.join(', ')}`}
    </Text>
  );
}
