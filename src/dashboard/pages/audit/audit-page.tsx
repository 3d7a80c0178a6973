import { Stack } from '@mantine/core';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { FilterBar, FilterChoice, FilterTexts } from '../../components/filter-bar.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Moment } from '../../components/moment.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Paged } from '../../components/paged.tsx';
import { Quiet } from '../../components/quiet.tsx';
import { Section } from '../../components/section.tsx';
import { TwoLines } from '../../components/two-lines.tsx';
import { pageInfoFields, useCursor } from '../../components/use-cursor.ts';
import { filterOf, useFilter } from '../../components/use-filter.ts';
import { WholeWords } from '../../components/whole-words.tsx';
import { isDay, nextDay } from '../../format/days.ts';
import { formatMoment, startOfDay } from '../../format/moment.ts';
import { graphql, type ResultOf, type VariablesOf } from '../../graphql/graphql.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useIsOwner } from '../../viewer.ts';
import { actionTexts, auditSubjects } from './action-texts.ts';

/** Who changed what of the merchant's, when and from where. */
export default function AuditPage() {
  const isOwner = useIsOwner();
  return (
    <>
      <PageHeader
        title="Audit log"
        text="See who changed what, when and from where. Entries are never changed or deleted."
      />
      {isOwner ? (
        <Entries />
      ) : (
        <Section title="All entries" flush>
          <Empty title="Owners only">Only owners can view the audit log.</Empty>
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
              empty={<Empty title={isFiltered ? 'No entries found' : 'No entries yet'} />}
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
    title: 'Event',
    cell: ({ action, objectId }) => (
      <TwoLines below={objectId && <ShortId id={objectId} />} isName>
        {actionTexts[action] ?? action.replaceAll(/[._]/g, ' ')}
      </TwoLines>
    ),
  },
  {
    title: 'Time',
    cell: ({ createdAt }) => <Moment at={createdAt} />,
  },
  {
    title: 'Actor',
    cell: ({ actorName, address }) => (
      <TwoLines below={address ?? 'Command line'}>
        <WholeWords>{actorName}</WholeWords>
      </TwoLines>
    ),
  },
  {
    title: 'Changes',
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

type Filter = NonNullable<VariablesOf<typeof auditQuery>['filter']>;

/** The filter in the page's address, as the API takes it. */
function useAuditFilter(): { filter: Filter; isFiltered: boolean } {
  const { read } = useFilter();
  const about = auditSubjects.find(({ value }) => value === read('about'));
  const [from, to] = [read('from'), read('to')];
  return filterOf<Filter>({
    actions: about ? about.nouns.map((noun) => `${noun}.*`) : null,
    objectId: read('object'),
    from: isDay(from) ? beginning(from) : null,
    to: isDay(to) ? beginning(nextDay(to)) : null,
  });
}

function beginning(day: string): string | null {
  return startOfDay(day)?.toISOString() ?? null;
}

function AuditFilterBar() {
  return (
    <FilterBar>
      <FilterChoice name="about" label="Category" placeholder="All" choices={auditSubjects} />
      <FilterTexts
        fields={[
          { name: 'object', label: 'Object ID', placeholder: 'Any', width: '9rem' },
          { name: 'from', label: 'From', type: 'date', width: '8rem' },
          { name: 'to', label: 'To', type: 'date', width: '8rem' },
        ]}
      />
    </FilterBar>
  );
}

const auditQuery = graphql(
  `
    query AuditEntries($filter: AuditEntryFilter, $first: Int, $after: String, $last: Int, $before: String) {
      auditEntries(filter: $filter, first: $first, after: $after, last: $last, before: $before) {
        nodes {
          id
          action
          actorName
          address
          objectId
          detail
          createdAt
        }
        pageInfo {
          ...PageInfo
        }
      }
    }
  `,
  [pageInfoFields],
);

type AuditEntry = ResultOf<typeof auditQuery>['auditEntries']['nodes'][number];
