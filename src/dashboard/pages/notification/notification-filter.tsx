import { timeOfField } from '../../format/moment.ts';
import type { VariablesOf } from '../../graphql/graphql.ts';
import { useRead } from '../../graphql/use-read.ts';
import { FilterBar, FilterChoice, FilterTexts } from '../../parts/filter-bar.tsx';
import { choiceOf, filterOf, onlyOne, useFilter } from '../../parts/use-filter.ts';
import { filterWebhooksQuery, type notificationsQuery } from './notifications-query.ts';

type Filter = NonNullable<VariablesOf<typeof notificationsQuery>['filter']>;
type Status = NonNullable<Filter['status']>[number];

const statuses: { value: Status; label: string }[] = [
  { value: 'pending', label: 'Pending' },
  { value: 'delivered', label: 'Delivered' },
  { value: 'failed', label: 'Failed' },
  { value: 'skipped', label: 'Skipped' },
];

const kinds: { value: NonNullable<Filter['kind']>; label: string }[] = [
  { value: 'webhook', label: 'Webhooks' },
  { value: 'callback', label: 'Callbacks' },
];

/** The filter in the page's address, as the API takes it. */
export function useNotificationFilter(): { filter: Filter; isFiltered: boolean } {
  const { read } = useFilter();
  return filterOf<Filter>({
    status: onlyOne(choiceOf(read('status'), statuses)),
    kind: choiceOf(read('kind'), kinds),
    webhookId: read('webhook'),
    chargeId: read('charge'),
    since: timeOfField(read('since') ?? '')?.toISOString() ?? null,
  });
}

export function NotificationFilterBar() {
  const { data } = useRead(filterWebhooksQuery);
  const webhooks = (data?.webhooks.nodes ?? []).map(({ id, url }) => ({ value: id, label: url }));
  return (
    <FilterBar>
      <FilterChoice name="status" label="Status" choices={statuses} />
      <FilterChoice name="kind" label="Kind" choices={kinds} />
      <FilterChoice name="webhook" label="Webhook" choices={webhooks} />
      <FilterTexts
        fields={[
          { name: 'charge', label: 'Charge', placeholder: 'ch_…', width: '8rem' },
          { name: 'since', label: 'Since', type: 'datetime-local' },
        ]}
      />
    </FilterBar>
  );
}
