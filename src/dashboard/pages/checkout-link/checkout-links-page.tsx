import { Button, Group, NumberInput, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useMutation } from 'urql';
import { amountColumn, madeColumn } from '../../components/columns.tsx';
import { EndButton } from '../../components/confirm-button.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { Form, numberOf, Submit } from '../../components/form.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { MadeLink } from '../../components/made-link.tsx';
import { MakeDialog } from '../../components/make-dialog.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Paged } from '../../components/paged.tsx';
import { Quiet } from '../../components/quiet.tsx';
import { Section } from '../../components/section.tsx';
import { ShareLink } from '../../components/share-link.tsx';
import { useAct } from '../../components/use-act.ts';
import { pageInfoFields, useCursor } from '../../components/use-cursor.ts';
import { useOutcome } from '../../components/use-outcome.ts';
import { counted, formatCount } from '../../format/count.ts';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { refusalFields } from '../../graphql/refusal.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useMay } from '../../viewer.ts';
import { firstChoices, readTerms } from '../checkout-terms/read-terms.ts';
import { TermsFields, termsFields } from '../checkout-terms/terms-fields.tsx';

/** Addresses that can be paid any number of times. */
export default function CheckoutLinksPage() {
  const cursor = useCursor();
  const mayWrite = useMay('write');
  const [opened, { open, close }] = useDisclosure();
  const read = useRead(checkoutLinksQuery, cursor.variables);
  return (
    <>
      <PageHeader
        title="Checkout links"
        text="A link you can share. It can be paid many times and doesn’t expire."
      >
        {mayWrite && <Button onClick={open}>New link</Button>}
      </PageHeader>
      <NewCheckoutLink opened={opened} onClose={close} onMade={read.refresh} />
      <Section title="All links" flush>
        <Loaded read={read} lines={6}>
          {({ checkoutLinks }) => (
            <Paged
              page={checkoutLinks}
              cursor={cursor}
              empty={<Empty title="No links yet">Create one and send it to a customer.</Empty>}
            >
              {(rows) => <CheckoutLinkTable links={rows} />}
            </Paged>
          )}
        </Loaded>
      </Section>
    </>
  );
}

const columns: Column<CheckoutLinkRow>[] = [
  {
    title: 'Description',
    cell: ({ orders }) => (
      <Text size="sm" fw={600} lineClamp={2} span>
        {orders
          .map(({ name }) => name)
          .filter(Boolean)
          .join(', ') || 'Untitled link'}
      </Text>
    ),
  },
  amountColumn(),
  {
    title: 'Charges',
    end: true,
    cell: usesText,
  },
  madeColumn(),
  { title: 'Actions', end: true, buttons: true, cell: (link) => <LinkActions link={link} /> },
];

function usesText({ uses, usesLimit }: CheckoutLinkRow): string {
  if (usesLimit !== null) return `${formatCount(uses)} of ${formatCount(usesLimit)}`;
  return uses === 0 ? 'No charges yet' : counted(uses, 'charge');
}

function CheckoutLinkTable({ links }: { links: readonly CheckoutLinkRow[] }) {
  return <DataTable label="Checkout links" columns={columns} rows={links} />;
}

function LinkActions({ link }: { link: CheckoutLinkRow }) {
  const mayWrite = useMay('write');
  if (link.closedAt !== null) return <Quiet>Deactivated</Quiet>;
  return (
    <Group gap={6} justify="flex-end" wrap="nowrap">
      <ShareLink url={link.url} />
      {mayWrite && <CloseButton id={link.id} />}
    </Group>
  );
}

function CloseButton({ id }: { id: string }) {
  const close = useAct(closeCheckoutLinkMutation);
  return (
    <EndButton
      label="Deactivate"
      title="Deactivate this link?"
      confirm="Deactivate link"
      onConfirm={() => close({ input: { id } })}
    >
      <Text size="sm">
        Customers who open it will see that it’s no longer active. You can’t reactivate it. Charges created
        from it aren’t affected.
      </Text>
    </EndButton>
  );
}

const fields = [...termsFields, 'usesLimit'];

/** The dialog that makes a link, and then shows it. */
function NewCheckoutLink(props: { opened: boolean; onClose: () => void; onMade: () => void }) {
  return (
    <MakeDialog<string>
      {...props}
      title="New checkout link"
      madeTitle="The link is ready"
      size="lg"
      form={(made) => <CheckoutLinkForm onMade={made} />}
    >
      {(url, close) => <MadeLink url={url} onClose={close} />}
    </MakeDialog>
  );
}

function CheckoutLinkForm({ onMade }: { onMade: (url: string) => void }) {
  const [{ fetching }, create] = useMutation(createCheckoutLinkMutation);
  const [choices, setChoices] = useState(firstChoices);
  const outcome = useOutcome(fields);

  const submit = async (form: FormData) => {
    const terms = outcome.read(() => readTerms(form, choices));
    if (!terms) return;
    const { methods } = choices;
    const usesLimit = numberOf(form, 'usesLimit');
    const answer = await create({
      input: {
        ...terms,
        ...(methods.length > 0 && { paymentMethods: methods }),
        ...(usesLimit !== null && { usesLimit }),
      },
    });
    outcome.take(answer);
    const result = answer.data?.createCheckoutLink;
    if (result?.__typename === 'CreateCheckoutLinkSuccess') onMade(result.checkoutLink.url);
  };

  return (
    <Form outcome={outcome} onSubmit={submit}>
      <TermsFields
        choices={choices}
        choose={(change) => setChoices((current) => ({ ...current, ...change }))}
        faults={outcome.faults}
      />
      <NumberInput
        label="Maximum payments"
        description="Counts open and paid charges. Leave empty for unlimited. Customer details are prefilled only with 1."
        name="usesLimit"
        min={1}
        max={1_000_000}
        allowDecimal={false}
        error={outcome.faults.usesLimit}
      />
      <Submit isBusy={fetching} beside={<Quiet>Active until you deactivate it.</Quiet>}>
        Create link
      </Submit>
    </Form>
  );
}

const checkoutLinkRow = graphql(`
  fragment CheckoutLinkRow on CheckoutLink {
    id
    url
    amount
    currency
    orders {
      name
      quantity
    }
    uses
    usesLimit
    closedAt
    createdAt
  }
`);

type CheckoutLinkRow = ResultOf<typeof checkoutLinkRow>;

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
  [checkoutLinkRow, pageInfoFields],
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
        ...Refusal
      }
    }
  `,
  [checkoutLinkRow, refusalFields],
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
        ...Refusal
      }
    }
  `,
  [refusalFields],
);
