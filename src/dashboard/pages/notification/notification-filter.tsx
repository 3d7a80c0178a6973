import { Button, Group, Select, TextInput } from '@mantine/core';
import { type FormEvent, useMemo } from 'react';
import { useQuery } from 'urql';
import { useSearchParams } from 'wouter';
import type { VariablesOf } from '../../graphql/graphql.ts';
import classes from '../../parts/filter-bar.module.css';
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
  const [params] = useSearchParams();
  const [status, kind, webhook, charge, since] = ['status', 'kind', 'webhook', 'charge', 'since'].map(
    (name) => params.get(name),
  );
  return useMemo(() => {
    const filter: Filter = {
      ...(status && { status: [status as Status] }),
      ...(kind && { kind: kind as NonNullable<Filter['kind']> }),
      ...(webhook && { webhookId: webhook }),
      ...(charge && { chargeId: charge }),
      ...(since && { since: new Date(since).toISOString() }),
    };
    return { filter, isFiltered: Object.keys(filter).length > 0 };
  }, [status, kind, webhook, charge, since]);
}

export function NotificationFilterBar() {
  const [params, setParams] = useSearchParams();
  const [{ data }] = useQuery({ query: filterWebhooksQuery });
  const choose = (chosen: Record<string, string | null>) =>
    setParams((current) => {
      const next = new URLSearchParams(current);
      for (const key of ['after', 'before', ...Object.keys(chosen)]) next.delete(key);
      for (const [name, value] of Object.entries(chosen)) if (value) next.set(name, value);
      return next;
    });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => String(form.get(name) ?? '').trim();
    choose({ charge: text('charge'), since: text('since') });
  };
  const choice = (name: string, label: string, choices: { value: string; label: string }[]) => (
    <Select
      label={label}
      placeholder="Any"
      clearable
      data={choices}
      value={params.get(name)}
      onChange={(value) => choose({ [name]: value })}
      className={classes.choice}
    />
  );
  const webhooks = (data?.webhooks.nodes ?? []).map(({ id, url }) => ({ value: id, label: url }));
  return (
    <search className={classes.bar}>
      {choice('status', 'Status', statuses)}
      {choice('kind', 'Kind', kinds)}
      {choice('webhook', 'Webhook', webhooks)}
      <form onSubmit={submit} key={params.toString()} className={classes.text}>
        <Group gap="xs" align="flex-end">
          <TextInput
            label="Charge"
            name="charge"
            placeholder="ch_…"
            defaultValue={params.get('charge') ?? ''}
            flex="1 1 8rem"
          />
          <TextInput
            label="Since"
            name="since"
            type="datetime-local"
            defaultValue={params.get('since') ?? ''}
            flex="1 1 11rem"
          />
          <Button type="submit" variant="default">
            Find
          </Button>
        </Group>
      </form>
    </search>
  );
}
