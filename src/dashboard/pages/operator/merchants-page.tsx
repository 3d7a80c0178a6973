import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from 'urql';
import { Link } from 'wouter';
import { CreateDialog } from '../../components/create-dialog.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FilterBar, FilterSearchForm } from '../../components/filter-bar.tsx';
import { Form, SubmitButton } from '../../components/form.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { isMailDelivered } from '../../components/mail-notice.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Paged } from '../../components/paged.tsx';
import { Section } from '../../components/section.tsx';
import { useCursor } from '../../components/use-cursor.ts';
import { toFilter, useFilter } from '../../components/use-filter.ts';
import { useFormState } from '../../components/use-form-state.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { t } from '../../language/texts.ts';
import { type InvitationLink, InvitationLinkNotice } from '../user/invitation-link-notice.tsx';
import { MerchantTable } from './merchant-table.tsx';
import { createMerchantMutation, merchantsQuery } from './merchants-query.ts';

export default function MerchantsPage() {
  const cursor = useCursor();
  const { filter, isFiltered } = toFilter({ search: useFilter().getFilter('search') });
  const query = useCachedQuery(merchantsQuery, { filter, ...cursor.variables });
  return (
    <>
      <PageHeader title={t.operator.merchants} text={t.operator.allMerchantsOnThis}>
        <NewMerchant onCreated={query.refresh} />
      </PageHeader>
      <FilterBar>
        <FilterSearchForm
          fields={[
            {
              name: 'search',
              label: t.operator.searchMerchants,
              type: 'search',
              placeholder: t.operator.partOfTheName,
              maxLength: 254,
            },
          ]}
        />
      </FilterBar>
      <Section title={isFiltered ? t.operator.matchingMerchants : t.operator.allMerchants} isFlush>
        <Loaded query={query} lines={8}>
          {({ merchants }) => (
            <Paged
              page={merchants}
              cursor={cursor}
              empty={
                <EmptyState title={isFiltered ? t.operator.noMerchantsFound : t.operator.noMerchantsYet}>
                  {isFiltered ? t.operator.searchForPartOf : t.operator.createAMerchantTo}
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

/** A created merchant, with the invitation of its first owner. */
type NewMerchantLink = InvitationLink & { id: string };

function NewMerchant({ onCreated }: { onCreated: () => void }) {
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button onClick={open}>{t.operator.newMerchant}</Button>
      <CreateDialog<NewMerchantLink>
        opened={opened}
        onClose={close}
        title={t.operator.newMerchant}
        createdTitle={t.operator.merchantCreated}
        onCreated={onCreated}
        form={(show) => <MerchantForm onCreated={show} />}
      >
        {({ id, ...link }) => (
          <Stack align="flex-start">
            <InvitationLinkNotice {...link} />
            <Button component={Link} href={`/merchants/${id}`}>
              {t.operator.viewMerchant}
            </Button>
          </Stack>
        )}
      </CreateDialog>
    </>
  );
}

function MerchantForm({ onCreated }: { onCreated: (created: NewMerchantLink) => void }) {
  const [{ fetching }, create] = useMutation(createMerchantMutation);
  const formState = useFormState(['name', 'ownerEmail']);
  const submit = async (form: FormData) => {
    const input = { name: String(form.get('name')), ownerEmail: String(form.get('ownerEmail')) };
    const response = await create({ input });
    formState.handleResult(response);
    const result = response.data?.createMerchant;
    if (result?.__typename === 'CreateMerchantSuccess')
      onCreated({ id: result.merchant.id, email: input.ownerEmail, url: result.invitationUrl });
  };
  return (
    <Form state={formState} onSubmit={submit}>
      <TextInput
        label={t.common.name}
        name="name"
        description={t.common.shownToCustomers}
        maxLength={140}
        error={formState.fieldErrors.name}
        required
        withAsterisk={false}
        data-autofocus
      />
      <TextInput
        label={t.operator.emailOfTheFirst}
        name="ownerEmail"
        type="email"
        error={formState.fieldErrors.ownerEmail}
        required
        withAsterisk={false}
      />
      <Text size="sm" c="var(--causeway-muted)">
        {isMailDelivered ? t.operator.theyllBeInvitedBy : t.operator.youllGetALink}
      </Text>
      <SubmitButton isBusy={fetching}>{t.operator.createMerchant}</SubmitButton>
    </Form>
  );
}
