import { Alert, Text } from '@mantine/core';
import { Link } from '../../components/link.tsx';
import { fillNodes } from '../../language/fill-nodes.tsx';
import { t } from '../../language/texts.ts';
import { useMode } from '../../use-mode.ts';
import { useHasPermission } from '../../viewer.ts';
import type { CounterSaleDetail } from './counter-queries.ts';

/** Says that the page does not notice the payment, because only statements report payments to the account. */
export function ReportNotice({ sale }: { sale: CounterSaleDetail }) {
  const { mode } = useMode();
  const canManageTransfers = useHasPermission('transfers');
  if (mode !== 'live' || sale.hasPaymentReports !== false) return null;
  return (
    <Alert color="amber" variant="light" w="100%" title={t.counter.checkYourBankingApp}>
      <Text size="sm">{t.counter.thePageShowsPaid}</Text>
      {canManageTransfers && (
        <Text size="sm" mt="xs">
          {fillNodes(t.counter.toMarkItAsPaid, {
            record: (
              <Link to="/transfers" underline="always">
                {t.counter.recordTheTransfer}
              </Link>
            ),
            ways: (
              <Link to="/bank-feeds" underline="always">
                {t.counter.connectABankFeed}
              </Link>
            ),
          })}
        </Text>
      )}
    </Alert>
  );
}
