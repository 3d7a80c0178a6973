import { Alert, Stack, Text } from '@mantine/core';
import { useNetwork } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { EmptyState } from '../../components/empty-state.tsx';
import { Link } from '../../components/link.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Section } from '../../components/section.tsx';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { fillNodes } from '../../language/fill-nodes.tsx';
import { t } from '../../language/texts.ts';
import { useHasPermission } from '../../viewer.ts';
import { pointOfSaleQuery } from './counter-queries.ts';
import { NewSale } from './new-sale.tsx';
import { SaleInProgress } from './sale-in-progress.tsx';
import { SaleList } from './sale-list.tsx';
import { SandboxBanner } from './sandbox-banner.tsx';

/** How often the list of sales is loaded again while one of them is not paid yet. */
const refreshMs = 10_000;

/** Staff enter an amount or choose an item, show the QR code, and see when the sale is paid. */
export default function CounterPage() {
  const query = useCachedQuery(pointOfSaleQuery);
  const [saleId, setSaleId] = useState<string>();
  const { online } = useNetwork();
  const canWrite = useHasPermission('write');
  const sales = query.data?.pointOfSale?.sales ?? [];
  const isWaiting =
    saleId === undefined && sales.some(({ status }) => status === 'open' || status === 'paying');
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setInterval(query.refresh, refreshMs);
    return () => clearInterval(timer);
  }, [isWaiting, query.refresh]);
  const finish = () => {
    setSaleId(undefined);
    query.refresh();
  };
  return (
    <>
      <SandboxBanner />
      <PageHeader title={t.counter.counter} text={t.counter.showTheQrCode} />
      <Stack>
        {!online && (
          <Alert color="amber" title={t.counter.youAreOffline} role="alert">
            {t.counter.newSalesNeedA}
          </Alert>
        )}
        {saleId !== undefined ? (
          <SaleInProgress key={saleId} id={saleId} onDone={finish} />
        ) : (
          <Loaded query={query} lines={10}>
            {({ pointOfSale }) =>
              pointOfSale && (
                <Stack>
                  <NewSale pointOfSale={pointOfSale} isOnline={online} onCreated={setSaleId} />
                  {canWrite && (
                    <Text size="sm" ta="center" c="var(--causeway-muted)">
                      {fillNodes(t.counter.forAPrintedCode, {
                        link: (
                          <Link to="/checkout-links" underline="always">
                            {t.counter.createALink}
                          </Link>
                        ),
                      })}
                    </Text>
                  )}
                  <Section title={t.counter.yourSalesOfThe} isFlush>
                    {pointOfSale.sales.length === 0 ? (
                      <EmptyState title={t.counter.noSalesYet}>{t.counter.yourSalesAppearHere}</EmptyState>
                    ) : (
                      <SaleList sales={pointOfSale.sales} onOpen={setSaleId} />
                    )}
                  </Section>
                </Stack>
              )
            }
          </Loaded>
        )}
      </Stack>
    </>
  );
}
