import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useRead } from '../../graphql/use-read.ts';
import { Empty } from '../../parts/empty.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Paged } from '../../parts/paged.tsx';
import { Section } from '../../parts/section.tsx';
import { useCursor } from '../../parts/use-cursor.ts';
import { useMay } from '../../viewer.ts';
import { CheckoutLinkTable } from './checkout-link-table.tsx';
import { checkoutLinksQuery } from './checkout-links-query.ts';
import { NewCheckoutLink } from './new-checkout-link.tsx';

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
        text="An address to send to customers: it can be paid any number of times and does not expire."
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
              empty={<Empty title="No links yet">Make one and send it to a customer.</Empty>}
            >
              {(rows) => <CheckoutLinkTable links={rows} />}
            </Paged>
          )}
        </Loaded>
      </Section>
    </>
  );
}
