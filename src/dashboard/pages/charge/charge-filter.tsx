import { Button, Group, Select, TextInput } from '@mantine/core';
import { type FormEvent, useMemo } from 'react';
import { useSearchParams } from 'wouter';
import type { VariablesOf } from '../../graphql/graphql.ts';
import { usePaymentMethods } from '../payment-methods.ts';
import classes from './charge-filter.module.css';
import type { chargesQuery } from './charges-query.ts';

type Filter = NonNullable<VariablesOf<typeof chargesQuery>['filter']>;
type Status = NonNullable<Filter['status']>[number];

const statuses: { value: Status; label: string }[] = [
  { value: 'pending', label: 'Pending' },
  { value: 'completed', label: 'Completed' },
  { value: 'expired', label: 'Expired' },
  { value: 'cancelled', label: 'Cancelled' },
];

/** The filter in the page's address, as the API takes it. */
export function useChargeFilter(): { filter: Filter; isFiltered: boolean } {
  const [params] = useSearchParams();
  const status = params.get('status');
  const method = params.get('method');
  const search = params.get('search');
  return useMemo(() => {
    const filter: Filter = {
      ...(status && { status: [status as Status] }),
      ...(method && { method: method as Filter['method'] & string }),
      ...(search && { search }),
    };
    return { filter, isFiltered: Object.keys(filter).length > 0 };
  }, [status, method, search]);
}

export function ChargeFilterBar() {
  const [params, setParams] = useSearchParams();
  const methods = usePaymentMethods();
  const choose = (name: string, value: string | null) =>
    setParams((current) => {
      const next = new URLSearchParams(current);
      for (const key of ['after', 'before', name]) next.delete(key);
      if (value) next.set(name, value);
      return next;
    });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    choose('search', String(new FormData(event.currentTarget).get('search')).trim());
  };
  const search = params.get('search') ?? '';
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
      <Select
        label="Method"
        placeholder="Any"
        clearable
        searchable
        data={methods.map(({ method, name }) => ({ value: method, label: name }))}
        value={params.get('method')}
        onChange={(value) => choose('method', value)}
        className={classes.choice}
      />
      <form onSubmit={submit} key={search} className={classes.search}>
        <Group gap="xs" align="flex-end" wrap="nowrap">
          <TextInput
            label="Search"
            name="search"
            type="search"
            defaultValue={search}
            placeholder="E-mail, order or nonce"
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
