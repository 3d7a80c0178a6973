import { Alert, Box, Group, Stack, Text } from '@mantine/core';
import { useRead } from '../../graphql/use-read.ts';
import { BackLink } from '../../parts/back-link.tsx';
import { DemoBadge } from '../../parts/demo-badge.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Moment } from '../../parts/moment.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Section } from '../../parts/section.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { AccessMonths } from '../access/access-months.tsx';
import { OperationNames } from '../access/operation-names.tsx';
import { DecideAccess } from './decide-access.tsx';
import { SwitchAccount, SwitchOperation } from './merchant-actions.tsx';
import { type MerchantDetail, merchantQuery } from './merchants-query.ts';

/** One merchant as an operator sees it: nothing of its business but what the operator decides about. */
export default function MerchantPage({ id }: { id: string }) {
  const read = useRead(merchantQuery, { id });
  return (
    <Loaded read={read} lines={8}>
      {({ merchant }) =>
        merchant ? (
          <Merchant merchant={merchant} onChanged={read.refresh} />
        ) : (
          <PageHeader title="No such merchant" text="There is no merchant with this id." />
        )
      }
    </Loaded>
  );
}

function Merchant({ merchant, onChanged }: { merchant: MerchantDetail; onChanged: () => void }) {
  const { id, name, demo, disabledAt, createdAt, switchedOff } = merchant;
  const props = { merchant, onChanged };
  return (
    <>
      <BackLink to="/">Merchants</BackLink>
      <PageHeader
        title={name}
        noun="Merchant"
        badge={
          <Group gap="xs">
            <StatusBadge status={disabledAt === null ? 'active' : 'off'} />
            {demo && <DemoBadge />}
          </Group>
        }
        text={id}
      >
        <SwitchAccount {...props} />
      </PageHeader>
      <Stack gap="lg">
        <Section title="Account">
          <Facts
            facts={[
              ['Opened', <Moment key="opened" at={createdAt} form="long" />],
              ['Switched off', disabledAt !== null && <Moment key="off" at={disabledAt} form="long" />],
            ]}
          />
        </Section>
        <Section
          title="Restricted operations"
          aside={<StatusBadge status={`access_${merchant.restrictedAccess}`} />}
        >
          <Access {...props} />
        </Section>
        <Section title="Volume of the last six full months" flush>
          <AccessMonths months={merchant.accessMonths} />
        </Section>
        <Section title="Operations switched off" aside={<SwitchOperation {...props} to="off" />} flush>
          {switchedOff.length === 0 ? (
            <Empty title="None">All operations are open, within what restricted access allows.</Empty>
          ) : (
            <Box px="lg" pb="lg">
              <OperationNames operations={switchedOff}>
                <SwitchOperation {...props} to="on" />
              </OperationNames>
            </Box>
          )}
        </Section>
      </Stack>
    </>
  );
}

function Access(props: { merchant: MerchantDetail; onChanged: () => void }) {
  const { restrictedAccess, accessRequestedAt, accessDeclineReason } = props.merchant;
  return (
    <Stack align="flex-start" gap="sm">
      {restrictedAccess === 'granted' && <Text>The merchant has access.</Text>}
      {restrictedAccess === 'none' && accessDeclineReason === null && (
        <Text>The merchant has no access and has not asked.</Text>
      )}
      {accessRequestedAt !== null && (
        <Text>
          The merchant asked on <Moment at={accessRequestedAt} form="day" />.
        </Text>
      )}
      {accessDeclineReason !== null && (
        <Alert color="amber" variant="light" title="Declined" w="100%">
          {accessDeclineReason}
        </Alert>
      )}
      <DecideAccess {...props} />
    </Stack>
  );
}
