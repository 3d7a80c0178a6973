import { Button, Group, Select, TextInput } from '@mantine/core';
import { type FormEvent, useMemo } from 'react';
import { useSearchParams } from 'wouter';
import type { VariablesOf } from '../../graphql/graphql.ts';
import classes from '../../parts/filter-bar.module.css';
import type { refundsQuery } from './refunds-query.ts';

type Filter = NonNullable<VariablesOf<typeof refundsQuery>['filter']>;
type Status = NonNullable<Filter['status']>[number];

const statuses: { value: Status; label: string }[] = [
  { value: 'initiated', label: 'Asking the customer' },
  { value: 'processing', label: 'To be paid' },
  { value: 'completed', label: 'Completed' },
  { value: 'cancelled', label: 'Withdrawn' },
];

/** The filter in the page's address, as the API takes it. */
export function useRefundFilter(): { filter: Filter; isFiltered: boolean } {
  const [params] = useSearchParams();
  const status = params.get('status');
  const charge = params.get('charge');
  const email = params.get('email');
  return useMemo(() => {
    const filter: Filter = {
      ...(status && { status: [status as Status] }),
      ...(charge && { chargeId: charge }),
      ...(email && { customerEmail: email }),
    };
    return { filter, isFiltered: Object.keys(filter).length > 0 };
  }, [status, charge, email]);
}

export function RefundFilterBar() {
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
    const form = new FormData(event.currentTarget);
    const text = (name: string) => String(form.get(name) ?? '').trim();
    choose({ email: text('email'), charge: text('charge') });
  };
  const [email, charge] = [params.get('email') ?? '', params.get('charge') ?? ''];
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
      <form onSubmit={submit} key={`${email} ${charge}`} className={classes.text}>
        <Group gap="xs" align="flex-end">
          <TextInput
            label="E-mail"
            name="email"
            type="search"
            inputMode="email"
            defaultValue={email}
            placeholder="The whole address"
            flex="1 1 11rem"
          />
          <TextInput label="Charge" name="charge" placeholder="ch_…" defaultValue={charge} flex="1 1 8rem" />
          <Button type="submit" variant="default">
            Find
          </Button>
        </Group>
      </form>
    </search>
  );
}
