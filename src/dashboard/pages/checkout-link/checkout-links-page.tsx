import { Button, Group, NumberInput, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useMutation } from 'urql';
import { amountColumn, createdColumn } from '../../components/columns.tsx';
import { DestructiveButton } from '../../components/confirm-button.tsx';
import { CreateDialog } from '../../components/create-dialog.tsx';
import { CreatedLink } from '../../components/created-link.tsx';
import { DataTable, type TableColumn } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Form, getNumber, SubmitButton } from '../../components/form.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Muted } from '../../components/muted.tsx';
import { OrderMismatch } from '../../components/order-list.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Paged } from '../../components/paged.tsx';
import { Section } from '../../components/section.tsx';
import { ShareLink } from '../../components/share-link.tsx';
import { pageInfoFields, useCursor } from '../../components/use-cursor.ts';
import { useFormState } from '../../components/use-form-state.ts';
import { useMutationAction } from '../../components/use-mutation-action.ts';
import { formatCount, pluralize } from '../../format/count.ts';
import { userErrorFields } from '../../graphql/errors.ts';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { useHasPermission } from '../../viewer.ts';
import { initialChoices, readTerms } from '../checkout-terms/read-terms.ts';
import { TermsFields, termsFieldPaths } from '../checkout-terms/terms-fields.tsx';

export default function CheckoutLinksPage() {
  const cursor = useCursor();
  const canWrite = useHasPermission('write');
  const [opened, { open, close }] = useDisclosure();
  const query = useCachedQuery(checkoutLinksQuery, cursor.variables);
  return (
    <>
      <PageHeader
        title="Checkout links"
        text="Links you can share. Each can be paid many times and doesn’t expire."
      >
        {canWrite && <Button onClick={open}>New link</Button>}
      </PageHeader>
      <NewCheckoutLink opened={opened} onClose={close} onCreated={query.refresh} />
      <Section title="All links" isFlush>
        <Loaded query={query} lines={6}>
          {({ checkoutLinks }) => (
            <Paged
              page={checkoutLinks}
              cursor={cursor}
              empty={<EmptyState title="No links yet">Create one and send it to a customer.</EmptyState>}
            >
              {(rows) => <CheckoutLinkTable links={rows} />}
            </Paged>
          )}
        </Loaded>
      </Section>
    </>
  );
}

const columns: TableColumn<CheckoutLinkRow>[] = [
  {
    title: 'Description',
    cell: ({ orders, hasOrderMismatch }) => (
      <>
        <Text size="sm" fw={600} lineClamp={2} span>
          {orders
            .map(({ name }) => name)
            .filter(Boolean)
            .join(', ') || 'Untitled link'}
        </Text>
        {hasOrderMismatch && <OrderMismatch />}
      </>
    ),
  },
  amountColumn(),
  {
    title: 'Charges',
    isEndAligned: true,
    cell: formatUses,
  },
  createdColumn(),
  { title: 'Actions', isEndAligned: true, hasButtons: true, cell: (link) => <LinkActions link={link} /> },
];

function formatUses({ usageCount, usageLimit }: CheckoutLinkRow): string {
  if (usageLimit !== null) return `${formatCount(usageCount)} of ${formatCount(usageLimit)}`;
  return usageCount === 0 ? 'No charges yet' : pluralize(usageCount, 'charge');
}

function CheckoutLinkTable({ links }: { links: readonly CheckoutLinkRow[] }) {
  return <DataTable label="Checkout links" columns={columns} rows={links} />;
}

function LinkActions({ link }: { link: CheckoutLinkRow }) {
  const canWrite = useHasPermission('write');
  if (link.closedAt !== null) return <Muted>Deactivated</Muted>;
  return (
    <Group gap={6} justify="flex-end" wrap="nowrap">
      <ShareLink url={link.url} />
      {canWrite && <DeactivateButton id={link.id} />}
    </Group>
  );
}

function DeactivateButton({ id }: { id: string }) {
  const deactivate = useMutationAction(closeCheckoutLinkMutation);
  return (
    <DestructiveButton
      label="Deactivate"
      title="Deactivate this link?"
      confirmLabel="Deactivate link"
      onConfirm={() => deactivate({ input: { id } })}
    >
      <Text size="sm">
        Customers who open it will see that it’s no longer active. You can’t reactivate it. Charges created
        from it aren’t affected.
      </Text>
    </DestructiveButton>
  );
}

const fieldPaths = [...termsFieldPaths, 'usageLimit'];

function NewCheckoutLink(props: { opened: boolean; onClose: () => void; onCreated: () => void }) {
  return (
    <CreateDialog<string>
      {...props}
      title="New checkout link"
      createdTitle="The link is ready"
      size="lg"
      form={(onCreated) => <CheckoutLinkForm onCreated={onCreated} />}
    >
      {(url, close) => <CreatedLink url={url} onClose={close} />}
    </CreateDialog>
  );
}

function CheckoutLinkForm({ onCreated }: { onCreated: (url: string) => void }) {
  const [{ fetching }, create] = useMutation(createCheckoutLinkMutation);
  const [choices, setChoices] = useState(initialChoices);
  const formState = useFormState(fieldPaths);

  const submit = async (form: FormData) => {
    const terms = formState.read(() => readTerms(form, choices));
    if (!terms) return;
    const { methods } = choices;
    const usageLimit = getNumber(form, 'usageLimit');
    const response = await create({
      input: {
        ...terms,
        ...(methods.length > 0 && { methods }),
        ...(usageLimit !== null && { usageLimit }),
      },
    });
    formState.handleResult(response);
    const result = response.data?.createCheckoutLink;
    if (result?.__typename === 'CreateCheckoutLinkSuccess') onCreated(result.checkoutLink.url);
  };

  return (
    <Form state={formState} onSubmit={submit}>
      <TermsFields
        choices={choices}
        onChange={(changes) => setChoices((current) => ({ ...current, ...changes }))}
        fieldErrors={formState.fieldErrors}
      />
      <NumberInput
        label="Maximum payments"
        description="Counts open and paid charges. Leave empty for unlimited. Customer details are prefilled only if this is 1."
        name="usageLimit"
        min={1}
        max={1_000_000}
        allowDecimal={false}
        error={formState.fieldErrors.usageLimit}
      />
      <SubmitButton isBusy={fetching} aside={<Muted>Active until you deactivate it.</Muted>}>
        Create link
      </SubmitButton>
    </Form>
  );
}

const checkoutLinkRowFields = graphql(`
  fragment CheckoutLinkRow on CheckoutLink {
    id
    url
    amount
    currency
    hasOrderMismatch
    orders {
      name
      quantity
    }
    usageCount
    usageLimit
    closedAt
    createdAt
  }
`);

type CheckoutLinkRow = ResultOf<typeof checkoutLinkRowFields>;

const checkoutLinksQuery = graphql(
  `
    query CheckoutLinks($first: Int, $after: String, $last: Int, $before: String) {
      checkoutLinks(first: $first, after: $after, last: $last, before: $before) {
        nodes {
          ...CheckoutLinkRow
        }
        pageInfo {
          ...PageInfo
        }
      }
    }
  `,
  [checkoutLinkRowFields, pageInfoFields],
);

const createCheckoutLinkMutation = graphql(
  `
    mutation CreateCheckoutLink($input: CreateCheckoutLinkInput!) {
      createCheckoutLink(input: $input) {
        __typename
        ... on CreateCheckoutLinkSuccess {
          checkoutLink {
            ...CheckoutLinkRow
          }
        }
        ...UserErrorFields
      }
    }
  `,
  [checkoutLinkRowFields, userErrorFields],
);

const closeCheckoutLinkMutation = graphql(
  `
    mutation CloseCheckoutLink($input: CloseCheckoutLinkInput!) {
      closeCheckoutLink(input: $input) {
        __typename
        ... on CloseCheckoutLinkSuccess {
          checkoutLink {
            id
            closedAt
          }
        }
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);
