import { Stack, Text } from '@mantine/core';
import { useQuery } from 'urql';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Moment } from '../../parts/moment.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Pager } from '../../parts/pager.tsx';
import { Section } from '../../parts/section.tsx';
import { useCursor } from '../../parts/use-cursor.ts';
import { useViewer } from '../../viewer.ts';
import { actionTexts } from './action-texts.ts';
import { AuditFilter, useAuditFilter } from './audit-filter.tsx';
import { type AuditEntry, auditQuery } from './audit-query.ts';

/** Who changed what of the merchant's, when and from where. */
export default function AuditPage() {
  const isOwner = useViewer().user.role === 'owner';
  return (
    <>
      <PageHeader
        title="Audit log"
        text="Who changed what, when and from where. Entries are never changed or deleted."
      />
      <Section title="All entries" flush>
        {isOwner && <AuditFilter />}
        {isOwner ? <Entries /> : <Empty title="For owners">Only an owner reads the audit log.</Empty>}
      </Section>
    </>
  );
}

function Entries() {
  const cursor = useCursor();
  const filter = useAuditFilter();
  const isFiltered = Object.keys(filter).length > 0;
  const variables = { ...cursor.variables, filter };
  const [{ data, error }, reload] = useQuery({ query: auditQuery, variables });
  return (
    <Loaded data={data} error={error} onRetry={() => reload({ requestPolicy: 'network-only' })} lines={8}>
      {({ auditEntries: { nodes, pageInfo } }) => (
        <>
          {nodes.length > 0 ? (
            <DataTable label="Audit log" columns={columns} rows={nodes} />
          ) : (
            <Empty title={isFiltered ? 'Nothing found' : 'Nothing yet'} />
          )}
          <Pager cursor={cursor} pageInfo={pageInfo} />
        </>
      )}
    </Loaded>
  );
}

/** So much of an id tells entries apart; the whole of it shows on hover. */
const idShownMax = 16;

const columns: Column<AuditEntry>[] = [
  {
    title: 'What',
    cell: ({ action, objectId }) => (
      <Stack gap={0}>
        <Text size="sm" fw={600} span>
          {actionTexts[action] ?? action.replaceAll(/[._]/g, ' ')}
        </Text>
        {objectId !== null && (
          <Text size="xs" c="var(--causeway-muted)" title={objectId} style={{ whiteSpace: 'nowrap' }} span>
            {objectId.length > idShownMax ? `${objectId.slice(0, idShownMax)}…` : objectId}
          </Text>
        )}
      </Stack>
    ),
  },
  {
    title: 'When',
    cell: ({ createdAt }) => (
      <Text size="sm" style={{ whiteSpace: 'nowrap' }} span>
        <Moment at={createdAt} />
      </Text>
    ),
  },
  {
    title: 'Who',
    cell: ({ actorName, address }) => (
      <Stack gap={0}>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }} span>
          {actorName}
        </Text>
        <Text size="xs" c="var(--causeway-muted)" span>
          {address ?? 'command line'}
        </Text>
      </Stack>
    ),
  },
  {
    title: 'Change',
    cell: ({ detail }) => (
      <Stack gap={2}>
        {changesOf(detail).map(([name, change]) => (
          <Text key={name} size="sm" style={{ overflowWrap: 'anywhere' }} span>
            <Text size="sm" c="var(--causeway-muted)" span inherit>
              {name}:
            </Text>{' '}
            {change}
          </Text>
        ))}
      </Stack>
    ),
  },
];

/** What changed, in words: `markup` and `0 → 0.02`. What is empty says nothing. */
function changesOf(detail: string): [name: string, change: string][] {
  return Object.entries(JSON.parse(detail) as Record<string, unknown>)
    .map(([name, value]): [string, string] => [
      nameText(name),
      isChange(value) ? `${plain(value.from) || 'none'} → ${plain(value.to) || 'none'}` : plain(value),
    ])
    .filter(([, change]) => change !== '');
}

/** `allowedOrigins` as `allowed origins`. */
function nameText(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function isChange(value: unknown): value is { from: unknown; to: unknown } {
  return typeof value === 'object' && value !== null && 'from' in value && 'to' in value;
}

function plain(value: unknown): string {
  if (Array.isArray(value)) return value.join(', ');
  if (typeof value !== 'object' || value === null) return String(value ?? '');
  return Object.entries(value)
    .map(([name, inner]) => `${name} ${plain(inner)}`)
    .join(', ');
}
