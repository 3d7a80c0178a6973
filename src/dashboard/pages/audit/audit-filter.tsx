import { isDay, nextDay } from '../../format/days.ts';
import { startOfDay } from '../../format/moment.ts';
import type { VariablesOf } from '../../graphql/graphql.ts';
import { FilterBar, FilterChoice, FilterTexts } from '../../parts/filter-bar.tsx';
import { filterOf, useFilter } from '../../parts/use-filter.ts';
import { auditSubjects } from './action-texts.ts';
import type { auditQuery } from './audit-query.ts';

type Filter = NonNullable<VariablesOf<typeof auditQuery>['filter']>;

/** The filter in the page's address, as the API takes it. */
export function useAuditFilter(): { filter: Filter; isFiltered: boolean } {
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

export function AuditFilterBar() {
  return (
    <FilterBar>
      <FilterChoice name="about" label="About" placeholder="Everything" choices={auditSubjects} />
      <FilterTexts
        fields={[
          { name: 'object', label: 'Object', placeholder: 'Its id', width: '9rem' },
          { name: 'from', label: 'From', type: 'date', width: '8rem' },
          { name: 'to', label: 'To', type: 'date', width: '8rem' },
        ]}
      />
    </FilterBar>
  );
}
