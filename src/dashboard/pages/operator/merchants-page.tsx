import { Button, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from 'urql';
import { useLocation } from 'wouter';
import { Dialog } from '../../components/dialog.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FilterBar, FilterSearchForm } from '../../components/filter-bar.tsx';
import { Form, SubmitButton } from '../../components/form.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Paged } from '../../components/paged.tsx';
import { Section } from '../../components/section.tsx';
import { useCursor } from '../../components/use-cursor.ts';
import { toFilter, useFilter } from '../../components/use-filter.ts';
import { useFormState } from '../../components/use-form-state.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { MerchantTable } from './merchant-table.tsx';
import { createMerchantMutation, merchantsQuery } from './merchants-query.ts';

export default function MerchantsPage() {
  const cursor = useCursor();
  const { filter, isFiltered } = toFilter({ search: useFilter().getFilter('search') });
  const query = useCachedQuery(merchantsQuery, { filter, ...cursor.variables });
  return (
    <>
      <PageHeader
        title="Merchants"
        text="All merchants on this server. Volume and charges are those of live mode."
      >
        <NewMerchant />
      </PageHeader>
      <FilterBar>
        <FilterSearchForm
          fields={[
            {
              name: 'search',
              label: 'Search merchants',
              type: 'search',
              placeholder: 'Part of the name, an ID, or a user’s email',
              maxLength: 254,
            },
          ]}
        />
      </FilterBar>
      <Section title={isFiltered ? 'Matching merchants' : 'All merchants'} isFlush>
        <Loaded query={query} lines={8}>
          {({ merchants }) => (
            <Paged
              page={merchants}
              cursor={cursor}
              empty={
                <EmptyState title={isFiltered ? 'No merchants found' : 'No merchants yet'}>
                  {isFiltered
                    ? 'Search for part of the name, a full ID, or the full email address of a user.'
                    : 'Create a merchant, and its first owner is invited by email.'}
                </EmptyState>
              }
            >
              {(rows) => <MerchantTable merchants={rows} />}
            </Paged>
          )}
        </Loaded>
      </Section>
    </>
  );
}

function NewMerchant() {
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button onClick={open}>New merchant</Button>
      <Dialog opened={opened} onClose={close} title="New merchant">
        <MerchantForm />
      </Dialog>
    </>
  );
}

function MerchantForm() {
  const [{ fetching }, create] = useMutation(createMerchantMutation);
  const [, navigate] = useLocation();
  const formState = useFormState(['name', 'ownerEmail']);
  const submit = async (form: FormData) => {
    const input = { name: String(form.get('name')), ownerEmail: String(form.get('ownerEmail')) };
    const response = await create({ input });
    formState.handleResult(response);
    const result = response.data?.createMerchant;
    if (result?.__typename === 'CreateMerchantSuccess') navigate(`/merchants/${result.merchant.id}`);
  };
  return (
    <Form state={formState} onSubmit={submit}>
      <TextInput
        label="Name"
        name="name"
        description="Shown to customers"
        maxLength={140}
        error={formState.fieldErrors.name}
        required
        withAsterisk={false}
        data-autofocus
      />
      <TextInput
        label="Email of the first owner"
        name="ownerEmail"
        type="email"
        error={formState.fieldErrors.ownerEmail}
        required
        withAsterisk={false}
      />
      <Text size="sm" c="var(--causeway-muted)">
        They’ll be invited by email, set their password, and create the merchant’s API keys.
      </Text>
      <SubmitButton isBusy={fetching}>Create merchant</SubmitButton>
    </Form>
  );
}
