import { Stack, Text } from '@mantine/core';
import { CopyText } from '../../parts/copy-text.tsx';
import { DemoBadge } from '../../parts/demo-badge.tsx';
import { Facts } from '../../parts/facts.tsx';
import { QrCode } from '../../parts/qr-code.tsx';
import classes from './charge-destination.module.css';
import type { ChargeDetails } from './charge-query.ts';

/** What the customer is told: the code, the account, the word to attach. */
export function ChargeDestination({ charge }: { charge: ChargeDetails }) {
  const { destination, receivingAccount } = charge;
  return (
    <Stack gap="md">
      {destination.qrCode !== '' && (
        <figure className={classes.code} data-ended={charge.status !== 'pending' || undefined}>
          <QrCode text={destination.qrCode} label="Payment code as the customer scans it" />
          {receivingAccount.demo && (
            <figcaption>
              <DemoBadge />
              <Text size="xs" mt={4}>
                A fictional account: it cannot be paid.
              </Text>
            </figcaption>
          )}
        </figure>
      )}
      <Facts
        facts={[
          ['Attach', <CopyText key="nonce" text={destination.nonce} what="the word to attach" />],
          ['Account', <CopyText key="account" text={destination.account} what="account" />],
          ['Holder', destination.accountName],
          ['Bank', destination.bank],
        ]}
      />
    </Stack>
  );
}
