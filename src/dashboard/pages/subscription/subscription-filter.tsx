import { Button, Group, Select, TextInput } from '@mantine/core';
import { type FormEvent, useMemo } from 'react';
import { useQuery } from 'urql';
import { useSearchParams } from 'wouter';
import type { VariablesOf } from '../../graphql/graphql.ts';
import classes from '../../parts/filter-bar.module.css';
import { planNamesQuery } from '../subscription-plan/plans-query.ts';
import type { subscriptionsQuery } from './subscriptions-query.ts';

type Filter = NonNullable<VariablesOf<typeof subscriptionsQuery>['filter']>;
type Status = NonNullable<Filter['status']>[number];

const statuses: { value: Status; label: string }[] = [
  { value: 'active', label: 'Active' },
  { value: 'inactive', label: 'Waiting for a payment' },
  { value: 'completed', label: 'Completed' },
  { value: 'cancelled', label: 'Cancelled' },
];

/** The filter in the page's address, as the API takes it. */
export function useSubscriptionFilter(): { filter: Filter; isFiltered: boolean } {
  const [params] = useSearchParams();
  const status = params.get('status');
  const plan = params.get('plan');
  const email = params.get('email');
  return useMemo(() => {
    const filter: Filter = {
      ...(status && { status: [status as Status] }),
      ...(plan && { subscriptionPlanId: plan }),
      ...(email && { customerEmail: email }),
    };
    return { filter, isFiltered: Object.keys(filter).length > 0 };
  }, [status, plan, email]);
}

export function SubscriptionFilterBar() {
  const [params, setParams] = useSearchParams();
  const choose = (name: string, value: string | null) =>
    setParams((current) => {
      const next = new URLSearchParams(current);
      for (const key of ['after', 'before', name]) next.delete(key);
      if (value) next.set(name, value);
      return next;
    });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    choose('email', String(new FormData(event.currentTarget).get('email')).trim());
  };
  const email = params.get('email') ?? '';
  return (
    <search className={classes.bar}>
      <Select
        label="Status"
        placeholder="Any"
        clearable
        data={statuses}
        value={params.get('status')}
        onChange={(value) => choose('status', value)}
        className={classes.choice}
      />
      <PlanChoice chosen={params.get('plan')} onChoose={(id) => choose('plan', id)} />
      <form onSubmit={submit} key={email} className={classes.text}>
        <Group gap="xs" align="flex-end" wrap="nowrap">
          <TextInput
            label="E-mail"
            name="email"
            type="search"
            inputMode="email"
            defaultValue={email}
            placeholder="The whole address"
            flex={1}
          />
          <Button type="submit" variant="default">
            Find
          </Button>
        </Group>
      </form>
    </search>
  );
}

/** Offers the newest plans; an older one, come to by a link, stays by its id. */
function PlanChoice({ chosen, onChoose }: { chosen: string | null; onChoose: (id: string | null) => void }) {
  const [{ data }] = useQuery({ query: planNamesQuery });
  const plans = data?.subscriptionPlans.nodes ?? [];
  const isListed = chosen === null || plans.some(({ id }) => id === chosen);
  const choices = plans.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <Select
      label="Plan"
      placeholder="Any"
      clearable
      searchable
      data={isListed ? choices : [...choices, { value: chosen, label: chosen }]}
      value={chosen}
      onChange={onChoose}
      className={classes.choice}
    />
  );
}
