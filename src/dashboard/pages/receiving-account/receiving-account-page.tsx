import { Grid, Stack } from '@mantine/core';
import { useRead } from '../../graphql/use-read.ts';
import { BackLink } from '../../parts/back-link.tsx';
import { CopyText } from '../../parts/copy-text.tsx';
import { DemoBadge } from '../../parts/demo-badge.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { NoSuch } from '../../parts/no-such.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Section } from '../../parts/section.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { useMay } from '../../viewer.ts';
import { useMethodName } from '../payment-methods.ts';
import { AccountActions } from './account-actions.tsx';
import { AccountFacts, TermsFacts } from './account-facts.tsx';
import { AccountPreview } from './account-preview.tsx';
import { type AccountDetails, receivingAccountQuery } from './receiving-accounts-query.ts';

/** One receiving account: what it is, on what terms it takes charges, and what its customers see. */
export default function ReceivingAccountPage({ id }: { id: string }) {
  const read = useRead(receivingAccountQuery, { id });
  return (
    <Loaded read={read} lines={10}>
      {({ receivingAccount }) =>
        receivingAccount ? (
          <Details account={receivingAccount} onChanged={read.refresh} />
        ) : (
          <NoSuch noun="receiving account" />
        )
      }
    </Loaded>
  );
}

function Details({ account, onChanged }: { account: AccountDetails; onChanged: () => void }) {
  const methodName = useMethodName();
  const mayManage = useMay('manage');
  const isActive = account.status === 'active';
  return (
    <>
      <BackLink to="/receiving-accounts">Receiving accounts</BackLink>
      <PageHeader
        title={`${methodName(account.method)} ${account.account}`}
        noun="Account"
        badge={
          <>
            <StatusBadge status={account.status} />
            {account.demo && <DemoBadge />}
          </>
        }
        text={<CopyText text={account.id} what="account id" />}
      >
        {mayManage && <AccountActions account={account} onChanged={onChanged} />}
      </PageHeader>
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: isActive ? 7 : 12 }}>
          <Stack gap="lg">
            <Section title="The account">
              <AccountFacts account={account} />
            </Section>
            <Section title="Terms">
              <TermsFacts account={account} />
            </Section>
          </Stack>
        </Grid.Col>
        {isActive && (
          <Grid.Col span={{ base: 12, md: 5 }}>
            <Section title="What customers scan">
              <AccountPreview key={account.updatedAt} account={account} />
            </Section>
          </Grid.Col>
        )}
      </Grid>
    </>
  );
}
