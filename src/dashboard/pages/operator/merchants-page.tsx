import { Button, Group, TextInput } from '@mantine/core';
import type { FormEvent } from 'react';
import { useQuery } from 'urql';
import { useSearchParams } from 'wouter';
import { Empty } from '../../parts/empty.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Pager } from '../../parts/pager.tsx';
import { Section } from '../../parts/section.tsx';
import { useCursor } from '../../parts/use-cursor.ts';
import { MerchantTable } from './merchant-table.tsx';
import { merchantsQuery } from './merchants-query.ts';
import { NewMerchant } from './new-merchant.tsx';

/** All merchants of the installation. */
export default function MerchantsPage() {
  const cursor = useCursor();
  const [params, setParams] = useSearchParams();
  const search = params.get('search') ?? '';
  const variables = { ...cursor.variables, filter: search === '' ? null : { search } };
  const [{ data, error }, reload] = useQuery({ query: merchantsQuery, variables });
  const find = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get('search')).trim();
    setParams(text === '' ? {} : { search: text });
  };
  return (
    <>
      <PageHeader title="Merchants" text="Everybody who collects payments on this installation.">
        <NewMerchant />
      </PageHeader>
      <Section title="All merchants" flush>
        <search>
          <form onSubmit={find}>
            <Group px="lg" pb="md" gap="sm" align="flex-end">
              <TextInput
                key={search}
                name="search"
                label="Find a merchant"
                placeholder="Part of the name, an id, or a user’s e-mail"
                defaultValue={search}
                maxLength={254}
                style={{ flex: '1 1 14rem' }}
              />
              <Button type="submit" variant="default">
                Find
              </Button>
            </Group>
          </form>
        </search>
        <Loaded data={data} error={error} onRetry={() => reload({ requestPolicy: 'network-only' })} lines={8}>
          {({ merchants: { nodes, pageInfo } }) => (
            <>
              {nodes.length > 0 ? (
                <MerchantTable merchants={nodes} />
              ) : (
                <Empty title={search === '' ? 'No merchants yet' : 'None found'}>
                  {search === ''
                    ? 'Open an account, and its first owner is invited by mail.'
                    : 'Look for a part of the name, a whole id, or the whole e-mail address of a user.'}
                </Empty>
              )}
              <Pager cursor={cursor} pageInfo={pageInfo} />
            </>
          )}
        </Loaded>
      </Section>
    </>
  );
}
