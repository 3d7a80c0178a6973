import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from 'urql';
import { Empty } from '../../parts/empty.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Pager } from '../../parts/pager.tsx';
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
  const [{ data, error }, reload] = useQuery({ query: checkoutLinksQuery, variables: cursor.variables });
  const refresh = () => reload({ requestPolicy: 'network-only' });
  return (
    <>
      <PageHeader
        title="Checkout links"
        text="An address to send to customers: it can be paid any number of times and does not expire."
      >
        {mayWrite && <Button onClick={open}>New link</Button>}
      </PageHeader>
      <NewCheckoutLink opened={opened} onClose={close} onMade={refresh} />
      <Section title="All links" flush>
        <Loaded data={data} error={error} onRetry={refresh} lines={6}>
          {({ checkoutLinks: { nodes, pageInfo } }) => (
            <>
              {nodes.length > 0 ? (
                <CheckoutLinkTable links={nodes} />
              ) : (
                <Empty title="No links yet">Make one and send it to a customer.</Empty>
              )}
              <Pager cursor={cursor} pageInfo={pageInfo} />
            </>
          )}
        </Loaded>
      </Section>
    </>
  );
}
