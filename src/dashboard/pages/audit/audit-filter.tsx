import { Button, Group, Select, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useSearchParams } from 'wouter';
import type { VariablesOf } from '../../graphql/graphql.ts';
import { auditSubjects } from './action-texts.ts';
import type { auditQuery } from './audit-query.ts';

const dayForm = /^\d{4}-\d{2}-\d{2}$/;

type Filter = NonNullable<VariablesOf<typeof auditQuery>['filter']>;

/** What the address asks for, so that a filtered log can be linked to. Days are the reader's own. */
export function useAuditFilter(): Filter {
  const [params] = useSearchParams();
  const about = auditSubjects.find(({ value }) => value === params.get('about'));
  const object = params.get('object');
  const [from, to] = [startOf(params.get('from'), 0), startOf(params.get('to'), 1)];
  return {
    ...(about && { actions: about.nouns.map((noun) => `${noun}.*`) }),
    ...(object && { objectId: object }),
    ...(from && { from }),
    ...(to && { to }),
  };
}

/** The start of a day, or of one so many days later, as a moment. */
function startOf(day: string | null, later: number): string | undefined {
  if (day === null || !dayForm.test(day)) return undefined;
  const start = new Date(`${day}T00:00:00`);
  if (Number.isNaN(start.getTime())) return undefined;
  start.setDate(start.getDate() + later);
  return start.toISOString();
}

export function AuditFilter() {
  const [params, setParams] = useSearchParams();
  const [about, setAbout] = useState(params.get('about'));
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const given = ['object', 'from', 'to'].map((name) => [name, String(form.get(name)).trim()]);
    setParams(Object.fromEntries([['about', about ?? ''], ...given].filter(([, text]) => text !== '')));
  };
  return (
    <form onSubmit={submit}>
      <Group px="lg" pb="md" gap="sm" align="flex-end">
        <Select
          label="About"
          placeholder="Everything"
          data={auditSubjects.map(({ value, label }) => ({ value, label }))}
          value={about}
          onChange={setAbout}
          clearable
          clearButtonProps={{ 'aria-label': 'Everything' }}
          style={{ flex: '1 1 11rem' }}
        />
        <TextInput
          label="Object"
          name="object"
          placeholder="Its id"
          defaultValue={params.get('object') ?? ''}
          style={{ flex: '1 1 9rem' }}
        />
        <TextInput label="From" name="from" type="date" defaultValue={params.get('from') ?? ''} />
        <TextInput label="To" name="to" type="date" defaultValue={params.get('to') ?? ''} />
        <Button type="submit" variant="default">
          Find
        </Button>
      </Group>
    </form>
  );
}
