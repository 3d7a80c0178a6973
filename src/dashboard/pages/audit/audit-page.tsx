import { Stack } from '@mantine/core';
import { formatMoment } from '../../format/moment.ts';
import { useRead } from '../../graphql/use-read.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Moment } from '../../parts/moment.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Paged } from '../../parts/paged.tsx';
import { Quiet } from '../../parts/quiet.tsx';
import { Section } from '../../parts/section.tsx';
import { TwoLines } from '../../parts/two-lines.tsx';
import { useCursor } from '../../parts/use-cursor.ts';
import { WholeWords } from '../../parts/whole-words.tsx';
import { useIsOwner } from '../../viewer.ts';
import { actionTexts } from './action-texts.ts';
import { AuditFilterBar, useAuditFilter } from './audit-filter.tsx';
import { type AuditEntry, auditQuery } from './audit-query.ts';

/** Who changed what of the merchant's, when and from where. */
export default function AuditPage() {
  const isOwner = useIsOwner();
  return (
    <>
      <PageHeader
        title="Audit log"
        text="Who changed what, when and from where. Entries are never changed or deleted."
      />
      {isOwner ? (
        <Entries />
      ) : (
        <Section title="All entries" flush>
          <Empty title="For owners">Only an owner reads the audit log.</Empty>
        </Section>
      )}
    </>
  );
}

function Entries() {
  const cursor = useCursor();
  const { filter, isFiltered } = useAuditFilter();
  const read = useRead(auditQuery, { filter, ...cursor.variables });
  return (
    <>
      <AuditFilterBar />
      <Section title={isFiltered ? 'Matching entries' : 'All entries'} flush>
        <Loaded read={read} lines={8}>
          {({ auditEntries }) => (
            <Paged
              page={auditEntries}
              cursor={cursor}
              empty={<Empty title={isFiltered ? 'No entry matches' : 'Nothing yet'} />}
            >
              {(rows) => <DataTable label="Audit log" columns={columns} rows={rows} />}
            </Paged>
          )}
        </Loaded>
      </Section>
    </>
  );
}

const columns: Column<AuditEntry>[] = [
  {
    title: 'What',
    cell: ({ action, objectId }) => (
      <TwoLines below={objectId && <ShortId id={objectId} />} isName>
        {actionTexts[action] ?? action.replaceAll(/[._]/g, ' ')}
      </TwoLines>
    ),
  },
  {
    title: 'When',
    cell: ({ createdAt }) => <Moment at={createdAt} />,
  },
  {
    title: 'Who',
    cell: ({ actorName, address }) => (
      <TwoLines below={address ?? 'command line'}>
        <WholeWords>{actorName}</WholeWords>
      </TwoLines>
    ),
  },
  {
    title: 'Change',
    cell: ({ detail }) => (
      <Stack gap={2}>
        {changesOf(detail).map(([name, change]) => (
          <span key={name}>
            <Quiet>{name}:</Quiet> {change}
          </span>
        ))}
      </Stack>
    ),
  },
];

/** So much of an id tells entries apart; the whole of it shows on hover. */
const idShownMax = 16;

function ShortId({ id }: { id: string }) {
  return (
    <span title={id} style={{ whiteSpace: 'nowrap' }}>
      {id.length > idShownMax ? `${id.slice(0, idShownMax)}…` : id}
    </span>
  );
}

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

/** A time of the API. */
const instant = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

function plain(value: unknown): string {
  if (Array.isArray(value)) return value.join(', ');
  if (typeof value === 'string' && instant.test(value)) return formatMoment(value, 'long');
  if (typeof value !== 'object' || value === null) return String(value ?? '');
  return Object.entries(value)
    .map(([name, inner]) => `${name} ${plain(inner)}`)
    .join(', ');
}
