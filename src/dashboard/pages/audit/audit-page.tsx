import { Stack } from '@mantine/core';
import { DataTable, type TableColumn } from '../../components/data-table.tsx';
import { useDateRange } from '../../components/date-range-filter.tsx';
import { EmailAddress } from '../../components/email-address.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FilterBar, FilterSearchForm, FilterSelect } from '../../components/filter-bar.tsx';
import { Link } from '../../components/link.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Moment } from '../../components/moment.tsx';
import { Muted } from '../../components/muted.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Paged } from '../../components/paged.tsx';
import { Section } from '../../components/section.tsx';
import { TwoLines } from '../../components/two-lines.tsx';
import { pageInfoFields, useCursor } from '../../components/use-cursor.ts';
import { toFilter, useFilter } from '../../components/use-filter.ts';
import { formatActorName } from '../../format/labels.ts';
import { getObjectPath } from '../../format/object-path.ts';
import { graphql, type ResultOf, type VariablesOf } from '../../graphql/graphql.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { t } from '../../language/texts.ts';
import { useIsOwner } from '../../viewer.ts';
import { actionTexts, auditCategories } from './action-texts.ts';
import { formatChanges } from './format-changes.ts';
import { useActorChoices } from './use-actor-choices.ts';

export default function AuditPage() {
  const isOwner = useIsOwner();
  return (
    <>
      <PageHeader title={t.audit.auditLog} text={t.audit.seeWhoChangedWhat} />
      {isOwner ? (
        <AuditEntries />
      ) : (
        <Section title={t.audit.allEntries} isFlush>
          <EmptyState title={t.common.ownersOnly}>{t.audit.onlyOwnersCanView}</EmptyState>
        </Section>
      )}
    </>
  );
}

function AuditEntries() {
  const cursor = useCursor();
  const { filter, isFiltered } = useAuditFilter();
  const query = useCachedQuery(auditQuery, { filter, ...cursor.variables });
  return (
    <>
      <AuditFilterBar />
      <Section title={isFiltered ? t.audit.matchingEntries : t.audit.allEntries} isFlush>
        <Loaded query={query} lines={8}>
          {({ auditEntries }) => (
            <Paged
              page={auditEntries}
              cursor={cursor}
              empty={<EmptyState title={isFiltered ? t.audit.noEntriesFound : t.audit.noEntriesYet} />}
            >
              {(rows) => <DataTable label={t.audit.auditLog} columns={columns} rows={rows} />}
            </Paged>
          )}
        </Loaded>
      </Section>
    </>
  );
}

const columns: TableColumn<AuditEntry>[] = [
  {
    title: t.audit.event,
    cell: ({ action, objectId }) => (
      <TwoLines below={objectId && <ShortId id={objectId} />} isBold>
        {actionTexts[action] ?? action.replaceAll(/[._]/g, ' ')}
      </TwoLines>
    ),
  },
  {
    title: t.audit.time,
    cell: ({ createdAt }) => <Moment at={createdAt} />,
  },
  {
    title: t.audit.actor,
    cell: ({ actor, ipAddress }) => (
      <TwoLines below={ipAddress ?? t.audit.commandLine}>
        <EmailAddress>{formatActorName(actor)}</EmailAddress>
      </TwoLines>
    ),
  },
  {
    title: t.audit.changes,
    cell: ({ detailsJson }) => (
      <Stack gap={2}>
        {formatChanges(detailsJson).map(([name, change]) => (
          <span key={name}>
            <Muted>{name}:</Muted> {change}
          </span>
        ))}
      </Stack>
    ),
  },
];

/** A prefix of this length distinguishes IDs; the tooltip shows the full ID. */
const shortIdLength = 16;

function ShortId({ id }: { id: string }) {
  const path = getObjectPath(id);
  const text = id.length > shortIdLength ? `${id.slice(0, shortIdLength)}…` : id;
  return (
    <span title={id} style={{ whiteSpace: 'nowrap' }}>
      {path ? <Link to={path}>{text}</Link> : text}
    </span>
  );
}

type AuditEntriesFilter = NonNullable<VariablesOf<typeof auditQuery>['filter']>;

function useAuditFilter(): { filter: AuditEntriesFilter; isFiltered: boolean } {
  const { getFilter } = useFilter();
  const category = auditCategories.find(({ value }) => value === getFilter('category'));
  const { from, to } = useDateRange();
  return toFilter<AuditEntriesFilter>({
    actions: category ? category.prefixes.map((prefix) => `${prefix}.*`) : null,
    actorId: getFilter('person'),
    objectId: getFilter('object'),
    createdFrom: from,
    createdTo: to,
  });
}

function AuditFilterBar() {
  const actors = useActorChoices();
  return (
    <FilterBar>
      <FilterSelect
        name="person"
        label={t.audit.actor}
        placeholder={t.review.anybody}
        choices={actors}
        searchable
        comboboxProps={{ width: 340, position: 'bottom-start' }}
      />
      <FilterSelect
        name="category"
        label={t.audit.category}
        placeholder={t.audit.all}
        choices={auditCategories}
      />
      <FilterSearchForm
        fields={[
          { name: 'object', label: t.audit.objectId, placeholder: t.common.any, width: '9rem' },
          { name: 'from', label: t.components.rangeStart, type: 'date', width: '8rem' },
          { name: 'to', label: t.components.rangeEnd, type: 'date', width: '8rem' },
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
          actor {
            kind
            name
          }
          ipAddress
          objectId
          detailsJson
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
