import { Button, Group, Select, TextInput } from '@mantine/core';
import { type FormEvent, useMemo } from 'react';
import { useSearchParams } from 'wouter';
import type { VariablesOf } from '../../graphql/graphql.ts';
import classes from '../../parts/filter-bar.module.css';
import { transferReasons } from './transfer-reasons.ts';
import type { transfersQuery } from './transfers-query.ts';

type Filter = NonNullable<VariablesOf<typeof transfersQuery>['filter']>;
type Status = NonNullable<Filter['status']>[number];
type Reason = NonNullable<Filter['reason']>[number];

const statuses: { value: Status; label: string }[] = [
  { value: 'exception', label: 'Waiting for you' },
  { value: 'matched', label: 'Matched' },
  { value: 'partial', label: 'Part of a charge' },
  { value: 'over', label: 'More than asked' },
  { value: 'returned', label: 'Sent back' },
  { value: 'duplicate', label: 'Known already' },
  { value: 'outgoing', label: 'Went out' },
];

/** The filter in the page's address, as the API takes it. */
export function useTransferFilter(): { filter: Filter; isFiltered: boolean } {
  const [params] = useSearchParams();
  const status = params.get('status');
  const reason = params.get('reason');
  const search = params.get('search');
  return useMemo(() => {
    const filter: Filter = {
      ...(status && { status: [status as Status] }),
      ...(reason && { reason: [reason as Reason] }),
      ...(search && { search }),
    };
    return { filter, isFiltered: Object.keys(filter).length > 0 };
  }, [status, reason, search]);
}

export function TransferFilterBar() {
  const [params, setParams] = useSearchParams();
  const choose = (chosen: Record<string, string | null>) =>
    setParams((current) => {
      const next = new URLSearchParams(current);
      for (const key of ['after', 'before', ...Object.keys(chosen)]) next.delete(key);
      for (const [name, value] of Object.entries(chosen)) if (value) next.set(name, value);
      return next;
    });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    choose({ search: String(new FormData(event.currentTarget).get('search') ?? '').trim() });
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
        onChange={(value) => choose({ status: value })}
        className={classes.choice}
      />
      <Select
        label="Why it waits"
        placeholder="Any reason"
        clearable
        data={transferReasons}
        value={params.get('reason')}
        onChange={(value) => choose({ reason: value })}
        className={classes.choice}
        comboboxProps={{ width: 340, position: 'bottom-start' }}
      />
      <form onSubmit={submit} key={search} className={classes.text}>
        <Group gap="xs" align="flex-end">
          <TextInput
            label="Search"
            name="search"
            type="search"
            defaultValue={search}
            placeholder="Reference, payer, bank reference"
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
